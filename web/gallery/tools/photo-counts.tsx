import { effect } from '@preact/signals'
import { page, t } from '../state/page.ts'
import { asked, outline, total } from '../state/photos.ts'
import { isFiltered } from './query-rules.ts'

const first = outline.peek()

/** Until the list is loaded, `outline` may have only some photos, so the count of the server is used. */
export const getFoundCount = (): number => (outline.value === first ? page.filtered : outline.value.length)

export function FoundCount() {
  if (!isFiltered(asked.value)) return null
  return <>{t('foundOf', { found: getFoundCount(), photos: t('photos', { count: total.value }) })}</>
}

export function watchPhotoCount(): void {
  const place = document.getElementById('photo-count')
  if (!place) return
  effect(() => {
    place.textContent = t('photos', { count: total.value })
  })
}
