import './filter-chips.css'
import { sayIn } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { changed, colorsIn, type FilterName, filtersIn, joinedFilters, type PhotoSearch } from './photo-search.ts'
import { colorWords } from './photo-words.ts'

const say = sayIn('photos')

type Props = { search: PhotoSearch; onSearch: (search: PhotoSearch) => void; count: number; total: number }

export function FilterChips({ search, onSearch, count, total }: Props) {
  const filters = filtersIn(search)
  const joined = joinedFilters(search)
  return (
    <div className="filter-chips">
      <p role="status">{filters.length > 0 ? say('countOf', { count, total }) : say('count', { count: total })}</p>
      {filters
        .filter((name) => name !== 'category_id')
        .map((name) => (
          <button
            key={name}
            type="button"
            className="filter-chip"
            onClick={() => onSearch(changed(search, { [name]: undefined }))}
          >
            <span className="heard">{say('without')}</span>
            {search.logic === 'OR' && joined.indexOf(name) > 0 && <em>{say('or')}</em>}
            <span dir="auto">{wordsFor(search, name)}</span>
            <Icon name="close" />
          </button>
        ))}
      {filters.length > 1 && (
        <Button
          kind="quiet"
          onClick={() => {
            const { sort, order } = search
            onSearch(changed({}, { sort, order }))
          }}
        >
          {say('noFilters')}
        </Button>
      )}
    </div>
  )
}

function wordsFor(search: PhotoSearch, name: FilterName): string {
  const colors = (text: string | undefined) => colorsIn(text).map(colorWords).join(', ')
  switch (name) {
    case 'search':
      return `“${search.search}”`
    case 'min_rating':
      return `${say('guestStarsFrom')}: ${search.min_rating}`
    case 'own_min_rating':
      return `${say('ownStarsFrom')}: ${search.own_min_rating}`
    case 'color_label':
      return `${say('guestColors')}: ${colors(search.color_label)}`
    case 'own_color_label':
      return `${say('ownColors')}: ${colors(search.own_color_label)}`
    case 'visibility':
      return say(`visibility_${search.visibility ?? 'visible'}`)
    case 'media_type':
      return say(`media_${search.media_type ?? 'image'}`)
    case 'uploaded_by':
      return `${say('cameBy')}: ${say(`by_${search.uploaded_by ?? 'admin'}`)}`
    case 'processing_status':
      return say(`processing_${search.processing_status ?? 'failed'}`)
    case 'category_id':
      return say('category')
    default:
      return say(name)
  }
}
