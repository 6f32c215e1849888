import { outline } from '../state/photos.ts'

type Span = { top: number; bottom: number }

let spanSource: ((index: number) => Span) | null = null

/** `next` returns the vertical position of a tile on the page. It is null while CSS lays out the tiles. */
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

/** Focuses a tile as soon as the grid has rendered it. Gives up after `framesLeft` animation frames. */
export function focusTile(photoId: number, framesLeft = 20): void {
  const link = findTileLink(photoId)
  if (link) link.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusTile(photoId, framesLeft - 1))
}

let anchors: Array<{ id: number; top: number }> = []

/** Stores where the visible photos are, for `restorePlace`. Does nothing unless the grid is scrolled past its top. */
export function rememberPlace(): void {
  const list = document.getElementById('grid')
  if (!list || list.getBoundingClientRect().top >= 0) return
  anchors = [...list.querySelectorAll<HTMLElement>('[data-photo]')].flatMap((tile) => {
    const { top, bottom } = tile.getBoundingClientRect()
    return bottom > 0 && top < innerHeight ? [{ id: Number(tile.dataset.photo), top }] : []
  })
}

/** Scrolls so that the first stored photo that is still listed is where it was in the window. */
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
