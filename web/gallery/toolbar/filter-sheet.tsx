import './filter-sheet.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { categoryName } from '../../../contract/category-names.ts'
import type { GalleryOutline } from '../../../contract/gallery/gallery.ts'
import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'
import { colorLabels } from '../../../contract/marks.ts'
import { createFilterQuery, navigateToQuery } from '../filters/navigate-to-query.ts'
import { formatMixed, getFoundCount } from '../filters/photo-counts.tsx'
import { includesValue, isFiltered, normalizeQuery, toggleValue } from '../filters/query-rules.ts'
import { ColorDot } from '../marks/mark-buttons.tsx'
import { Choice, ChoiceGroup } from '../parts/choices.tsx'
import { Icon } from '../parts/icon.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { call } from '../state/api.ts'
import { canColor, canComment, canRate, pickFilter, pickKind, t } from '../state/page.ts'
import { asked, categories, total } from '../state/photos.ts'
import { SortChoice } from './sort-choice.tsx'

export function FilterSheet({ onClose }: { onClose: () => void }) {
  const currentQuery = asked.value
  const hasVideos = useHasVideos()
  return (
    <Sheet title={t('filters')} onClose={onClose}>
      <div class="filters">
        {canRate && <StarFilter />}
        {canColor && (
          <ChoiceGroup name={t('colour')}>
            {colorLabels.map((color) => (
              <ValueChoice key={color} field="color_label" value={color}>
                <ColorDot color={color} />
                {t(color)}
              </ValueChoice>
            ))}
          </ChoiceGroup>
        )}
        <MarkFilters />
        {categories.value.length > 0 && <CategoryFilter />}
        {hasVideos && (
          <ChoiceGroup name={t('videos')}>
            <Choice
              isOn={currentQuery.media_type === 'video'}
              onChoose={() => applyQuery({ ...asked.value, media_type: asked.value.media_type ? '' : 'video' })}
            >
              {t('onlyVideos')}
            </Choice>
          </ChoiceGroup>
        )}
        <SortChoice />
        <div class="sheet-foot filters-foot">
          <button
            type="button"
            class="button"
            disabled={!isFiltered(currentQuery)}
            onClick={() => applyQuery(createFilterQuery({}))}
          >
            {t('clearFilters')}
          </button>
          <button type="button" class="button primary" onClick={onClose}>
            {t('showFound', { photos: formatMixed(getFoundCount()) })}
          </button>
        </div>
      </div>
    </Sheet>
  )
}

const applyQuery = (nextQuery: GalleryListQueryParams): void =>
  navigateToQuery(normalizeQuery(nextQuery), { isSameEntry: true })

function StarFilter() {
  const stars = Number(asked.value.my_min_rating ?? 0)
  return (
    <ChoiceGroup name={t('rating')} isTight>
      {[0, 1, 2, 3, 4, 5].map((minStars) => (
        <Choice
          key={minStars}
          group="stars"
          isOn={stars === minStars}
          onChoose={() => applyQuery({ ...asked.value, my_min_rating: minStars > 0 ? String(minStars) : '' })}
        >
          <span class="heard">{starsLabel(minStars)}</span>
          <bdi aria-hidden="true">
            {minStars === 0 ? t('anyStars') : minStars === 5 ? '5' : `${minStars}+`}
            {minStars > 0 && <Icon name="star" isFilled />}
          </bdi>
        </Choice>
      ))}
    </ChoiceGroup>
  )
}

function starsLabel(minStars: number): string {
  const stars = t('stars', { count: minStars })
  if (minStars === 0) return t('anyStars')
  return minStars === 5 ? stars : t('atLeast', { stars })
}

const markFilters = [
  { value: pickFilter, text: 'myPicks', isOffered: pickKind !== null },
  { value: 'rated', text: 'rated', isOffered: canRate },
  { value: 'commented', text: 'commented', isOffered: canComment },
] as const

function MarkFilters() {
  const offered = markFilters.filter(({ isOffered }) => isOffered)
  if (offered.length === 0) return null
  return (
    <ChoiceGroup name={t('marked')}>
      {offered.map(({ value, text }) => (
        <ValueChoice key={value} field="filter" value={value}>
          {t(text)}
        </ValueChoice>
      ))}
    </ChoiceGroup>
  )
}

function CategoryFilter() {
  const named = categories.value.map((category) => ({ id: category.id, name: categoryName(t, category) }))
  const choices = [{ id: '', name: t('anyCategory') }, ...named]
  return (
    <ChoiceGroup name={t('category')}>
      {choices.map(({ id, name }) => (
        <Choice
          key={id}
          group="category"
          isOn={(asked.value.category_id ?? '') === String(id)}
          onChoose={() => applyQuery({ ...asked.value, category_id: String(id) })}
        >
          <bdi>{name}</bdi>
        </Choice>
      ))}
    </ChoiceGroup>
  )
}

type ValueChoiceProps = { field: 'filter' | 'color_label'; value: string; children: ComponentChildren }

const ValueChoice = ({ field, value, children }: ValueChoiceProps) => (
  <Choice
    isOn={includesValue(asked.value, field, value)}
    onChoose={() => applyQuery(toggleValue(asked.value, field, value))}
  >
    {children}
  </Choice>
)

let videoCount: number | undefined
/** The number of photos in the gallery when the videos were counted. */
let countedTotal: number | undefined

function useHasVideos(): boolean {
  const [count, setCount] = useState(videoCount ?? 0)
  useEffect(() => {
    if (countedTotal === total.peek()) return
    call<typeof GalleryOutline>('/outline?media_type=video&limit=1')
      .then(({ pagination }) => {
        videoCount = pagination.filtered
        countedTotal = pagination.total
        setCount(videoCount)
      })
      .catch(() => undefined)
  }, [])
  return count > 0 || asked.value.media_type === 'video'
}
