import { page, t } from '../state/page.ts'
import { asked } from '../state/photos.ts'
import { navigateToQuery } from './navigate-to-query.ts'

const sorts = {
  upload_date_asc: 'sortUpload',
  upload_date_desc: 'sortNewest',
  capture_date_asc: 'sortCapture',
  filename_asc: 'sortName',
  rating_desc: 'sortRating',
} as const

/** Returns sort and order in one word, in the format of `default_photo_sort`. */
function getCurrentSort(): string {
  const { sort, order } = asked.value
  if (!sort) return page.event.default_photo_sort
  return order ? `${sort}_${order}` : sort
}

export function SortChoice() {
  const currentSort = getCurrentSort()
  const showsStars = page.feedback.feedback_enabled && page.feedback.show_feedback_to_guests
  // Such as an order by hand, to which guests can return.
  const others = [...new Set([page.event.default_photo_sort, currentSort])].filter((sort) => !(sort in sorts))
  const offered = Object.entries(sorts).filter(([value]) => value !== 'rating_desc' || showsStars)
  return (
    <label class="sort">
      <span>{t('sort')}</span>
      <select
        value={currentSort}
        onChange={({ currentTarget }) => {
          const { order: _, ...others } = asked.peek()
          navigateToQuery({ ...others, sort: currentTarget.value })
        }}
      >
        {others.map((sort) => (
          <option key={sort} value={sort}>
            {t('sortDefault')}
          </option>
        ))}
        {offered.map(([value, text]) => (
          <option key={value} value={value}>
            {t(text)}
          </option>
        ))}
      </select>
    </label>
  )
}
