type Span = { top: number; bottom: number }

let spanOf: ((index: number) => Span) | null = null

/** The grid tells where its tiles stand in the page; null while the browser itself lays them out. */
export function tellSpans(next: typeof spanOf): void {
  spanOf = next
}

/** Where a photo stands in the page; null while the browser itself lays them out. */
export const spanAt = (index: number): Span | null => spanOf?.(index) ?? null

/** The link of a photo's tile; null while the tile is not there. */
export const tileLink = (photoId: number): HTMLElement | null => document.querySelector(`[data-photo="${photoId}"]`)

/** Brings the tile of a photo into sight, in the middle, unless it is there already: all of it, or a part. */
export function revealTile(photoId: number, index: number, enough: 'all' | 'part' = 'all'): void {
  const rect = spanOf ? null : tileLink(photoId)?.getBoundingClientRect()
  const span = spanOf?.(index) ?? (rect && { top: rect.top + scrollY, bottom: rect.bottom + scrollY })
  if (!span) return
  const sticky = document.getElementById('tools')?.offsetHeight ?? 0
  const { top, bottom } = { top: scrollY + sticky, bottom: scrollY + innerHeight }
  if (enough === 'all' ? span.top >= top && span.bottom <= bottom : span.bottom > top && span.top < bottom) return
  scrollTo({ top: (span.top + span.bottom + sticky - innerHeight) / 2, behavior: 'instant' })
}

/** Gives the focus to a tile as soon as the grid has drawn it after a scroll. */
export function focusTile(photoId: number, framesLeft = 20): void {
  const link = tileLink(photoId)
  if (link) link.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusTile(photoId, framesLeft - 1))
}
