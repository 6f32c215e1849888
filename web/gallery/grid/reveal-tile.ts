type Span = { top: number; bottom: number }

let spanOf: ((index: number) => Span) | null = null

/** `next` is null while the browser lays out the tiles. */
export function setSpanSource(next: typeof spanOf): void {
  spanOf = next
}

/** Returns the position of a photo in the page. Null while the browser lays out the tiles. */
export const spanAt = (index: number): Span | null => spanOf?.(index) ?? null

export const tileLink = (photoId: number): HTMLElement | null => document.querySelector(`[data-photo="${photoId}"]`)

export function revealTile(photoId: number, index: number, enough: 'all' | 'part' = 'all'): void {
  const rect = spanOf ? null : tileLink(photoId)?.getBoundingClientRect()
  const span = spanOf?.(index) ?? (rect && { top: rect.top + scrollY, bottom: rect.bottom + scrollY })
  if (!span) return
  const sticky = document.getElementById('tools')?.offsetHeight ?? 0
  const { top, bottom } = { top: scrollY + sticky, bottom: scrollY + innerHeight }
  if (enough === 'all' ? span.top >= top && span.bottom <= bottom : span.bottom > top && span.top < bottom) return
  scrollTo({ top: (span.top + span.bottom + sticky - innerHeight) / 2, behavior: 'instant' })
}

/** Focuses a tile as soon as the grid has rendered it after a scroll. */
export function focusTile(photoId: number, framesLeft = 20): void {
  const link = tileLink(photoId)
  if (link) link.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusTile(photoId, framesLeft - 1))
}
