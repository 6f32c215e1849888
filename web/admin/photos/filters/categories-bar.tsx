import './categories-bar.css'
import { useQuery } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { IconButton } from '../../components/button.tsx'
import { formatNumber } from '../../components/format-time.ts'
import { useScrollingRow } from '../../components/tabs.tsx'
import { eventCategoriesQuery } from '../../events/event-queries.ts'
import { changeSearch, type PhotoSearch } from '../model/photo-search.ts'

const t = translator('photos')

type Props = {
  eventId: number
  search: PhotoSearch
  total: number
  onSearch: (search: PhotoSearch) => void
  /** Null if the account may not manage categories. */
  onManage: (() => void) | null
}

/** Is empty without categories. */
export function CategoriesBar({ eventId, search, total, onSearch, onManage }: Props) {
  const row = useScrollingRow()
  const { data: categories = [] } = useQuery(eventCategoriesQuery(eventId))
  // Hides global categories without photos of this event, except the selected one.
  const shown = categories.filter(
    ({ id, is_global, photo_count }) => !is_global || photo_count > 0 || search.category_id === String(id),
  )
  const categoryFilters: Array<{ value: string | undefined; name: string; count?: number }> = [
    { value: undefined, name: t('all'), count: total },
    ...shown.map(({ id, name, photo_count }) => ({ value: String(id), name, count: photo_count })),
    ...(shown.length > 0 ? [{ value: 'uncategorized', name: t('uncategorized') }] : []),
    // Legacy photo types: shown only if the address filters by them.
    ...(['individual', 'collage'] as const)
      .filter((word) => search.category_id === word)
      .map((word) => ({ value: word, name: t(word) })),
  ]
  if (shown.length === 0 && search.category_id === undefined) return null
  return (
    <div className="categories-bar">
      {/* biome-ignore lint/a11y/useSemanticElements: it contains no form fields */}
      <div role="group" aria-label={t('categories')} className="scrolling-row" ref={row}>
        {categoryFilters.map(({ value, name, count }) => (
          <button
            key={value ?? 'all'}
            type="button"
            aria-pressed={search.category_id === value}
            onClick={() => onSearch(changeSearch(search, { category_id: value }))}
          >
            <span dir="auto">{name}</span>
            {count !== undefined && <small>{formatNumber(count)}</small>}
          </button>
        ))}
      </div>
      {onManage && <IconButton icon="edit" label={t('manageCategories')} onClick={onManage} />}
    </div>
  )
}
