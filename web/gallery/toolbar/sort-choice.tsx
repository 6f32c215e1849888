import { navigateToQuery } from '../filters/navigate-to-query.ts'
import { page, t } from '../state/page.ts'
import { asked, categories } from '../state/photos.ts'

const sorts = {
  upload_date_asc: 'sortUpload',
  upload_date_desc: 'sortNewest',
  capture_date_asc: 'sortCapture',
  filename_asc: 'sortName',
  rating_desc: 'sortRating',
} as const

/** Offered only if it is the order of the event, so that guests can return to it. */
const otherSorts = {
  capture_date_desc: 'sortCaptureDesc',
  filename_desc: 'sortNameDesc',
  manual: 'sortManual',
} as const
const isOtherSort = (sort: string): sort is keyof typeof otherSorts => sort in otherSorts

/** Returns sort and order in one word, in the format of `default_photo_sort`; empty for the order by category. */
function getCurrentSort(): string {
  const { sort, order } = asked.value
  if (!sort && categories.value.length > 0) return ''
  if (!sort) return page.event.default_photo_sort
  return order ? `${sort}_${order}` : sort
}

export function SortChoice() {
  const currentSort = getCurrentSort()
  const showsStars = page.feedback.feedback_enabled && page.feedback.show_feedback_to_guests
  const others = [...new Set([page.event.default_photo_sort, currentSort])].filter(isOtherSort)
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
        {categories.value.length > 0 && <option value="">{t('sortCategory')}</option>}
        {others.map((sort) => (
          <option key={sort} value={sort}>
            {t(otherSorts[sort])}
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
