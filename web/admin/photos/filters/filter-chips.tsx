import './filter-chips.css'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { colorName } from '../model/photo-labels.ts'
import {
  changeSearch,
  type FilterName,
  listFilters,
  listJoinedFilters,
  type PhotoSearch,
  parseColors,
} from '../model/photo-search.ts'

const t = translator('photos')

type Props = { search: PhotoSearch; onSearch: (search: PhotoSearch) => void; count: number; total: number }

export function FilterChips({ search, onSearch, count, total }: Props) {
  const filters = listFilters(search)
  const joined = listJoinedFilters(search)
  return (
    <div className="filter-chips">
      <p role="status">{filters.length > 0 ? t('countOf', { count, total }) : t('count', { count: total })}</p>
      {filters
        .filter((name) => name !== 'category_id')
        .map((name) => (
          <button
            key={name}
            type="button"
            className="filter-chip"
            onClick={() => onSearch(changeSearch(search, { [name]: undefined }))}
          >
            <span className="heard">{t('without')}</span>
            {search.logic === 'OR' && joined.indexOf(name) > 0 && <em>{t('or')}</em>}
            <span dir="auto">{filterLabel(search, name)}</span>
            <Icon name="close" />
          </button>
        ))}
      {filters.length > 1 && (
        <Button
          kind="quiet"
          onClick={() => {
            const { sort, order } = search
            onSearch(changeSearch({}, { sort, order }))
          }}
        >
          {t('noFilters')}
        </Button>
      )}
    </div>
  )
}

function filterLabel(search: PhotoSearch, name: FilterName): string {
  const colors = (text: string | undefined) => parseColors(text).map(colorName).join(', ')
  switch (name) {
    case 'search':
      return `“${search.search}”`
    case 'min_rating':
      return `${t('guestStarsFrom')}: ${search.min_rating}`
    case 'own_min_rating':
      return `${t('ownStarsFrom')}: ${search.own_min_rating}`
    case 'color_label':
      return `${t('guestColors')}: ${colors(search.color_label)}`
    case 'own_color_label':
      return `${t('ownColors')}: ${colors(search.own_color_label)}`
    case 'visibility':
      return t(`visibility_${search.visibility ?? 'visible'}`)
    case 'media_type':
      return t(`media_${search.media_type ?? 'image'}`)
    case 'uploaded_by':
      return `${t('cameBy')}: ${t(`by_${search.uploaded_by ?? 'admin'}`)}`
    case 'processing_status':
      return t(`processing_${search.processing_status ?? 'failed'}`)
    case 'category_id':
      return t('category')
    default:
      return t(name)
  }
}
