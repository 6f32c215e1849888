import './filter-sheet.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { GalleryOutline } from '../../../contract/gallery.ts'
import type { GalleryAsked } from '../../../contract/gallery-page.ts'
import { colorLabels } from '../../../contract/marks.ts'
import { Icon } from '../parts/icon.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { call } from '../state/api.ts'
import { canColor, mayComment, mayRate, pickFilter, pickKind, t } from '../state/page.ts'
import { asked, categories, total } from '../state/photos.ts'
import { askInAddress, withFilter } from './address.ts'
import { inOrder, isFiltered, names, toggled } from './asked-rules.ts'
import { foundCount } from './found.tsx'
import { SortChoice } from './sort-choice.tsx'

export function FilterSheet({ onClose }: { onClose: () => void }) {
  const now = asked.value
  const hasVideos = useHasVideos()
  return (
    <Sheet title={t('filters')} onClose={onClose}>
      <div class="filters">
        {mayRate && <Stars now={now} />}
        {canColor && (
          <Group name={t('colour')}>
            {colorLabels.map((color) => (
              <Choice
                key={color}
                isOn={names(now, 'color_label', color)}
                onChoose={() => choose(toggled(now, 'color_label', color))}
              >
                <span class={`dot ${color}`} aria-hidden="true">
                  {t(`${color}Short`)}
                </span>
                {t(color)}
              </Choice>
            ))}
          </Group>
        )}
        <Marked now={now} />
        {categories.value.length > 0 && <Categories now={now} />}
        {hasVideos && (
          <Group name={t('videos')}>
            <Choice
              isOn={now.media_type === 'video'}
              onChoose={() => choose({ ...now, media_type: now.media_type ? '' : 'video' })}
            >
              {t('onlyVideos')}
            </Choice>
          </Group>
        )}
        <SortChoice />
        <div class="sheet-foot filters-foot">
          <button type="button" class="button" disabled={!isFiltered(now)} onClick={() => choose(withFilter({}))}>
            {t('clearFilters')}
          </button>
          <button type="button" class="button primary" onClick={onClose}>
            {t('showFound', { count: foundCount() })}
          </button>
        </div>
      </div>
    </Sheet>
  )
}

const choose = (wanted: GalleryAsked): void => askInAddress(inOrder(wanted), { isSameStep: true })

function Stars({ now }: { now: GalleryAsked }) {
  const stars = Number(now.my_min_rating ?? 0)
  return (
    <Group name={t('rating')} isTight>
      {[0, 1, 2, 3, 4, 5].map((least) => (
        <Choice
          key={least}
          group="stars"
          isOn={stars === least}
          onChoose={() => choose({ ...now, my_min_rating: least > 0 ? String(least) : '' })}
        >
          <span class="heard">{starsLabel(least)}</span>
          <bdi aria-hidden="true">
            {least === 0 ? t('anyStars') : least === 5 ? '5' : `${least}+`}
            {least > 0 && <Icon name="star" isFilled />}
          </bdi>
        </Choice>
      ))}
    </Group>
  )
}

function starsLabel(least: number): string {
  const stars = t('stars', { count: least })
  if (least === 0) return t('anyStars')
  return least === 5 ? stars : t('atLeast', { stars })
}

function Marked({ now }: { now: GalleryAsked }) {
  const kinds = [
    pickKind && ([pickFilter, t('myPicks')] as const),
    mayRate && (['rated', t('rated')] as const),
    mayComment && (['commented', t('commented')] as const),
  ]
  if (!kinds.some(Boolean)) return null
  return (
    <Group name={t('marked')}>
      {kinds.map(
        (kind) =>
          kind && (
            <Choice
              key={kind[0]}
              isOn={names(now, 'filter', kind[0])}
              onChoose={() => choose(toggled(now, 'filter', kind[0]))}
            >
              {kind[1]}
            </Choice>
          ),
      )}
    </Group>
  )
}

function Categories({ now }: { now: GalleryAsked }) {
  const choices = [{ id: '', name: t('anyCategory') }, ...categories.value]
  return (
    <Group name={t('category')}>
      {choices.map(({ id, name }) => (
        <Choice
          key={id}
          group="category"
          isOn={(now.category_id ?? '') === String(id)}
          onChoose={() => choose({ ...now, category_id: String(id) })}
        >
          <bdi>{name}</bdi>
        </Choice>
      ))}
    </Group>
  )
}

type GroupProps = { name: string; isTight?: boolean; children: ComponentChildren }

const Group = ({ name, isTight = false, children }: GroupProps) => (
  <fieldset class="filter">
    <legend>{name}</legend>
    <div class={`choices${isTight ? ' tight' : ''}`}>{children}</div>
  </fieldset>
)

type ChoiceProps = {
  isOn: boolean
  onChoose: () => void
  /** The radio group. Without it the choice is a checkbox. */
  group?: string
  children: ComponentChildren
}

const Choice = ({ isOn, onChoose, group, children }: ChoiceProps) => (
  <label class="choice">
    <input
      class="heard"
      type={group ? 'radio' : 'checkbox'}
      {...(group && { name: group })}
      checked={isOn}
      onChange={onChoose}
    />
    {children}
  </label>
)

let videoCount: number | undefined
/** The number of photos in the gallery when the videos were counted. */
let countedOf: number | undefined

function useHasVideos(): boolean {
  const [count, setCount] = useState(videoCount ?? 0)
  useEffect(() => {
    if (countedOf === total.peek()) return
    call<typeof GalleryOutline>('/outline?media_type=video&limit=1')
      .then(({ pagination }) => {
        videoCount = pagination.filtered
        countedOf = pagination.total
        setCount(videoCount)
      })
      .catch(() => undefined)
  }, [])
  return count > 0 || asked.value.media_type === 'video'
}
