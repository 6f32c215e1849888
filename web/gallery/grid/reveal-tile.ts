import { gapPx } from '../../../contract/gallery/gallery-tiles.ts'
import { type GroupStart, groupHeadingId } from '../../../contract/gallery/photo-groups.ts'
import { getToolbarHeight } from '../parts/toolbar-height.ts'
import { groupStarts, outline } from '../state/photos.ts'
import { headingHeightPx } from './group-heading.tsx'

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
  const toolbarHeight = getToolbarHeight()
  const { top, bottom } = { top: scrollY + toolbarHeight, bottom: scrollY + innerHeight }
  if (enough === 'all' ? span.top >= top && span.bottom <= bottom : span.bottom > top && span.top < bottom) return
  scrollTo({ top: (span.top + span.bottom + toolbarHeight - innerHeight) / 2, behavior: 'instant' })
}

/** Focuses a tile as soon as the grid has rendered it. */
export const focusTile = (photoId: number): void => focusWhenRendered(() => findTileLink(photoId))

/** Gives up after `framesLeft` animation frames. */
function focusWhenRendered(find: () => HTMLElement | null, framesLeft = 20): void {
  const element = find()
  if (element) element.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusWhenRendered(find, framesLeft - 1))
}

/** Scrolls a heading to just below the tools and focuses it. */
export function revealGroup(group: GroupStart): void {
  const id = groupHeadingId(group)
  const toolbarHeight = getToolbarHeight()
  const span = spanSource?.(group.index)
  if (span) scrollTo({ top: span.top - headingHeightPx() - toolbarHeight - 8, behavior: 'instant' })
  focusWhenRendered(() => document.getElementById(id))
}

let anchors: Array<{ id: number; top: number }> = []
let isRowAligned = false

/**
 * Stores where the visible photos are, for `restorePlace`. Does nothing unless the grid is scrolled past its top.
 * `alignsRow`: the row of the first visible photo, with the heading of its category, is to be right below the tools.
 */
export function rememberPlace({ alignsRow = false } = {}): void {
  const list = document.getElementById('grid')
  const toolbarHeight = getToolbarHeight()
  if (!list || list.getBoundingClientRect().top >= toolbarHeight) return
  isRowAligned = alignsRow
  anchors = [...list.querySelectorAll<HTMLElement>('[data-photo]')].flatMap((tile) => {
    const { top, bottom } = tile.getBoundingClientRect()
    return bottom > toolbarHeight && top < innerHeight ? [{ id: Number(tile.dataset.photo), top }] : []
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
    const newTop = isRowAligned ? measureRowTop(index) : top
    scrollTo({ top: span.top - newTop, behavior: 'instant' })
    return
  }
}

/** Returns where a row is in the window, in pixels, when it is right below the tools and the heading that it may have. */
function measureRowTop(index: number): number {
  const toolbarHeight = getToolbarHeight()
  const rowTop = spanSource?.(index).top
  const isBelowHeading = groupStarts.peek().some((group) => spanSource?.(group.index).top === rowTop)
  // Includes the gap between rows, so that no part of the previous row is visible.
  const gap = gapPx(innerWidth)
  return toolbarHeight + gap + (isBelowHeading ? headingHeightPx() + gap : 0)
}
