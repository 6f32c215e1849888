import './filter-panel.css'
import * as Popover from '@radix-ui/react-popover'
import type { ReactNode } from 'react'
import { translator } from '../../app/language.ts'
import { buttonClass } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useEvent } from '../../events/event-context.tsx'
import {
  changeSearch,
  decisionFilters,
  flagFilters,
  listFilters,
  listJoinedFilters,
  type PhotoSearch,
  type SearchChange,
} from '../model/photo-search.ts'
import { Colors, Group, Stars, Toggle } from './filter-parts.tsx'

const t = translator('photos')

export function FilterPanel({ search, onSearch }: { search: PhotoSearch; onSearch: (search: PhotoSearch) => void }) {
  const { keep_versions } = useEvent()
  const count = listFilters(search).filter((name) => name !== 'search' && name !== 'category_id').length
  const set = (change: SearchChange) => onSearch(changeSearch(search, change))
  /** At most one of the toggles is on. */
  const renderToggles = <
    Name extends 'visibility' | 'review' | 'decision' | 'processing_status' | 'media_type' | 'uploaded_by',
  >(
    name: Name,
    values: ReadonlyArray<NonNullable<PhotoSearch[Name]>>,
    label: (value: NonNullable<PhotoSearch[Name]>) => ReactNode,
  ) =>
    values.map((value) => (
      <Toggle key={value} isOn={search[name] === value} onToggle={(isOn) => set({ [name]: isOn ? value : undefined })}>
        {label(value)}
      </Toggle>
    ))
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
            {flagFilters.map((name) => (
              <Toggle key={name} isOn={search[name] === true} onToggle={(isOn) => set({ [name]: isOn || undefined })}>
                {t(name)}
              </Toggle>
            ))}
          </Group>
          {keep_versions && (
            <Group title={t('approval')}>
              {renderToggles('decision', decisionFilters, (value) => t(`decision_${value}`))}
            </Group>
          )}
          <Group title={t('guestStarsFrom')}>
            <Stars value={search.min_rating} onValue={(min_rating) => set({ min_rating })} />
          </Group>
          <Group title={t('guestColors')}>
            <Colors value={search.color_label} onValue={(color_label) => set({ color_label })} />
          </Group>
          <Group title={t('ownStarsFrom')}>
            <Stars value={search.own_min_rating} onValue={(own_min_rating) => set({ own_min_rating })} />
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
            {renderToggles('visibility', ['visible', 'hidden'], (value) => t(`visibility_${value}`))}
            {renderToggles('review', ['waiting'], (value) => t(`review_${value}`))}
            {renderToggles('processing_status', ['failed', 'processing'], (value) => t(`processing_${value}`))}
          </Group>
          <Group title={t('kind')}>
            {renderToggles('media_type', ['image', 'video'], (value) => t(`media_${value}`))}
          </Group>
          <Group title={t('cameBy')}>
            {renderToggles('uploaded_by', ['admin', 'guest', 'api', 'import'], (value) => t(`by_${value}`))}
          </Group>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
