import { effect } from '@preact/signals'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { page, pickFilter, t } from '../state/page.ts'
import { asked, counts, outline, total, videoCount } from '../state/photos.ts'
import { isFiltered } from './query-rules.ts'

const first = outline.peek()

/** Until the list is loaded, `outline` may have only some photos, so the count of the server is used. */
export function getFoundCount(): number {
  // Photos that are no longer picked stay in the list of picks until it is loaded again.
  const { filter, ...others } = asked.value
  if (filter === pickFilter && !isFiltered(others)) return counts.value[pickFilter]
  return outline.value === first ? page.filtered : outline.value.length
}

/** For counts that may include videos where it is not known how many. */
export const formatMixed = (count: number): string => t(videoCount.value > 0 ? 'files' : 'photos', { count })

export function FoundCount() {
  if (!isFiltered(asked.value)) return null
  return <>{t('foundOf', { found: getFoundCount(), photos: formatPhotoCount(t, total.value, videoCount.value) })}</>
}

export function watchPhotoCount(): void {
  const places = document.querySelectorAll<HTMLElement>('#photo-count, .name-bar span')
  // During a first look, the page says about how many photos there will be.
  const about = Number(places[0]?.dataset.about ?? 0)
  effect(() => {
    const text =
      total.value < about
        ? t('firstLookCount', { count: total.value, about })
        : formatPhotoCount(t, total.value, videoCount.value)
    for (const place of places) place.textContent = text
  })
}
