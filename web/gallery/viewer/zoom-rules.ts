import { maxPictureWidth, type TilePhoto } from '../../../contract/gallery/gallery-tiles.ts'

/** Types that browsers can show. Other originals are only shown as renditions. */
const displayableTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

type ZoomState = { photo: TilePhoto & { mime_type: string }; shownWidth: number; pixelRatio: number; isFitted: boolean }

/** True if a zoomed photo needs more pixels than the widest rendition has, and browsers can show its wider original. */
export function needsFullSize({ photo, shownWidth, pixelRatio, isFitted }: ZoomState): boolean {
  if (isFitted || !displayableTypes.includes(photo.mime_type)) return false
  return (photo.width ?? 0) > maxPictureWidth && shownWidth * pixelRatio > maxPictureWidth
}

/**
 * Returns the CSS pixels per photo pixel at which one photo pixel is one screen pixel. Returns 1 if that zoom is not
 * more than 5 % larger than `fit`.
 */
export const getActualZoom = (fit: number, pixelRatio: number): number =>
  1 / pixelRatio > fit * 1.05 ? 1 / pixelRatio : 1

/** Returns the margins that the controls need beside fitted photos. `hasRow`: with a row above the others. */
export function getMargins({ x, y }: { x: number; y: number }, hasRow = false) {
  const rowPx = hasRow ? 48 : 0
  // In a low window, such as a phone in landscape, the controls lie on the photo.
  if (y < 480) return { top: 0, bottom: 0, left: 0, right: 0 }
  if (x < 640) return { top: 56, bottom: 72 + rowPx, left: 0, right: 0 }
  return { top: 56, bottom: 64 + rowPx, left: 64, right: 64 }
}
