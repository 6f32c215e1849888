import { outline } from '../state/photos.ts'
import { findSpan } from './reveal-tile.ts'

let anchors: Array<{ id: number; top: number }> = []

/** Remembers the visible photos for `restorePlace`. Above the first row everything may move. */
export function rememberPlace(): void {
  const list = document.getElementById('grid')
  if (!list || list.getBoundingClientRect().top >= 0) return
  anchors = [...list.querySelectorAll<HTMLElement>('[data-photo]')].flatMap((tile) => {
    const { top, bottom } = tile.getBoundingClientRect()
    return bottom > 0 && top < innerHeight ? [{ id: Number(tile.dataset.photo), top }] : []
  })
}

/** Scrolls the first remembered photo that is still listed back to its place. */
export function restorePlace(): void {
  const candidates = anchors
  anchors = []
  for (const { id, top } of candidates) {
    const index = outline.peek().findIndex((photo) => photo.id === id)
    const span = index < 0 ? null : findSpan(index)
    if (!span) continue
    scrollTo({ top: span.top - top, behavior: 'instant' })
    return
  }
}
