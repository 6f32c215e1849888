import { outline } from '../state/photos.ts'

type Span = { top: number; bottom: number }

let spanSource: ((index: number) => Span) | null = null

/** `next` is null while the browser lays out the tiles. */
export function setSpanSource(next: typeof spanSource): void {
  spanSource = next
}

export const findTileLink = (photoId: number): HTMLElement | null => document.querySelector(`[data-photo="${photoId}"]`)

export function revealTile(photoId: number, index: number, enough: 'all' | 'part' = 'all'): void {
  const rect = spanSource ? null : findTileLink(photoId)?.getBoundingClientRect()
  const span = spanSource?.(index) ?? (rect && { top: rect.top + scrollY, bottom: rect.bottom + scrollY })
  if (!span) return
  const toolbarHeight = document.getElementById('tools')?.offsetHeight ?? 0
  const { top, bottom } = { top: scrollY + toolbarHeight, bottom: scrollY + innerHeight }
  if (enough === 'all' ? span.top >= top && span.bottom <= bottom : span.bottom > top && span.top < bottom) return
  scrollTo({ top: (span.top + span.bottom + toolbarHeight - innerHeight) / 2, behavior: 'instant' })
}

/** Focuses a tile as soon as the grid has rendered it after a scroll. */
export function focusTile(photoId: number, framesLeft = 20): void {
  const link = findTileLink(photoId)
  if (link) link.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusTile(photoId, framesLeft - 1))
}

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
    const span = index < 0 ? null : spanSource?.(index)
    if (!span) continue
    scrollTo({ top: span.top - top, behavior: 'instant' })
    return
  }
}
