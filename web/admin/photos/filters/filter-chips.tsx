import './filter-chips.css'
import { must } from '../../../../contract/must.ts'
import { colorName } from '../../app/color-name.ts'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { formatPhotos } from '../../components/format-photos.ts'
import { Icon } from '../../components/icon.tsx'
import { useEvent } from '../../events/event-context.tsx'
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
  const event = useEvent()
  const filters = listFilters(search)
  const joined = listJoinedFilters(search)
  if (filters.length === 0) {
    return (
      <p className="heard" role="status">
        {formatPhotos({ photo_count: total, video_count: event.video_count })}
      </p>
    )
  }
  return (
    <div className="filter-chips">
      <p role="status">
        {t('countOf', { count, photos: formatPhotos({ photo_count: total, video_count: event.video_count }) })}
      </p>
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
            <span dir="auto">{filterLabels[name](search)}</span>
            <Icon name="close" />
          </button>
        ))}
      {filters.length > 1 && (
        <Button kind="quiet" onClick={() => onSearch(changeSearch({}, { sort: search.sort, order: search.order }))}>
          {t('noFilters')}
        </Button>
      )}
    </div>
  )
}

const filterLabels: { [Name in FilterName]: (search: PhotoSearch) => string } = {
  search: ({ search }) => `“${search}”`,
  category_id: () => t('category'),
  has_favorites: () => t('has_favorites'),
  has_likes: () => t('has_likes'),
  has_comments: () => t('has_comments'),
  min_rating: ({ min_rating }) => `${t('guestStarsFrom')}: ${min_rating}`,
  own_min_rating: ({ own_min_rating }) => `${t('ownStarsFrom')}: ${own_min_rating}`,
  color_label: ({ color_label }) => `${t('guestColors')}: ${colorNames(color_label)}`,
  own_color_label: ({ own_color_label }) => `${t('ownColors')}: ${colorNames(own_color_label)}`,
  visibility: ({ visibility }) => t(`visibility_${must(visibility, 'visibility')}`),
  media_type: ({ media_type }) => t(`media_${must(media_type, 'media type')}`),
  uploaded_by: ({ uploaded_by }) => `${t('cameBy')}: ${t(`by_${must(uploaded_by, 'uploader')}`)}`,
  review: ({ review }) => t(`review_${must(review, 'review')}`),
  decision: ({ decision }) => t(`decision_${must(decision, 'decision')}`),
  processing_status: ({ processing_status }) => t(`processing_${must(processing_status, 'processing status')}`),
}

const colorNames = (colors: string | undefined): string => parseColors(colors).map(colorName).join(', ')
