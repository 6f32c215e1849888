import './filter-panel.css'
import * as Popover from '@radix-ui/react-popover'
import { translator } from '../../app/language.ts'
import { buttonClass } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { changeSearch, listFilters, listJoinedFilters, type PhotoSearch } from '../model/photo-search.ts'
import { Colors, Group, Stars, Toggle } from './filter-parts.tsx'

const t = translator('photos')

type Props = { search: PhotoSearch; onSearch: (search: PhotoSearch) => void }

export function FilterPanel({ search, onSearch }: Props) {
  const count = listFilters(search).filter((name) => name !== 'search' && name !== 'category_id').length
  const set = (change: { [Name in keyof PhotoSearch]: PhotoSearch[Name] | undefined }) =>
    onSearch(changeSearch(search, change))
  return (
    <Popover.Root>
      <Popover.Trigger className={buttonClass(count > 0 ? 'plain' : 'quiet')}>
        <Icon name="filter" />
        {t('filters')}
        {count > 0 && <span className="filter-count">{count}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="filter-panel"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t('filters')}
        >
          <Group title={t('fromGuests')}>
            {(['has_favorites', 'has_likes', 'has_comments'] as const).map((name) => (
              <Toggle key={name} isOn={search[name] === true} onToggle={(isOn) => set({ [name]: isOn || undefined })}>
                {t(name)}
              </Toggle>
            ))}
          </Group>
          <Group title={t('guestStarsFrom')}>
            <Stars value={search.min_rating} onValue={(stars) => set({ min_rating: stars })} />
          </Group>
          <Group title={t('guestColors')}>
            <Colors value={search.color_label} onValue={(color_label) => set({ color_label })} />
          </Group>
          <Group title={t('ownStarsFrom')}>
            <Stars value={search.own_min_rating} onValue={(stars) => set({ own_min_rating: stars })} />
          </Group>
          <Group title={t('ownColors')}>
            <Colors value={search.own_color_label} onValue={(own_color_label) => set({ own_color_label })} />
          </Group>
          {listJoinedFilters(search).length > 1 && (
            <Group title={t('logic')}>
              {([undefined, 'OR'] as const).map((logic) => (
                <Toggle key={String(logic)} isOn={search.logic === logic} onToggle={() => set({ logic })}>
                  {t(logic ? 'logicOr' : 'logicAnd')}
                </Toggle>
              ))}
            </Group>
          )}
          <Group title={t('state')}>
            {(['visible', 'hidden'] as const).map((word) => (
              <Toggle
                key={word}
                isOn={search.visibility === word}
                onToggle={(on) => set({ visibility: on ? word : undefined })}
              >
                {t(`visibility_${word}`)}
              </Toggle>
            ))}
            {(['failed', 'processing'] as const).map((word) => (
              <Toggle
                key={word}
                isOn={search.processing_status === word}
                onToggle={(on) => set({ processing_status: on ? word : undefined })}
              >
                {t(`processing_${word}`)}
              </Toggle>
            ))}
          </Group>
          <Group title={t('kind')}>
            {(['image', 'video'] as const).map((word) => (
              <Toggle
                key={word}
                isOn={search.media_type === word}
                onToggle={(on) => set({ media_type: on ? word : undefined })}
              >
                {t(`media_${word}`)}
              </Toggle>
            ))}
          </Group>
          <Group title={t('cameBy')}>
            {(['admin', 'guest', 'api', 'import'] as const).map((word) => (
              <Toggle
                key={word}
                isOn={search.uploaded_by === word}
                onToggle={(on) => set({ uploaded_by: on ? word : undefined })}
              >
                {t(`by_${word}`)}
              </Toggle>
            ))}
          </Group>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
