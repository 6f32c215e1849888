import { pictureWidths, type TilePhoto } from '../../../contract/gallery-tiles.ts'

const widestPicture = pictureWidths.at(-1) ?? 0

/** What browsers show by themselves: others have pictures of the ladder, and no full-size one to look at. */
const shownTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

type Zoomed = { photo: TilePhoto & { mime_type: string }; shownWidth: number; pixelRatio: number; isFitted: boolean }

/** Whether the full-size photo is worth its bytes: it is zoomed so far that the widest picture would be stretched. */
export function needsFullSize({ photo, shownWidth, pixelRatio, isFitted }: Zoomed): boolean {
  if (isFitted || !shownTypes.includes(photo.mime_type)) return false
  return (photo.width ?? 0) > widestPicture && shownWidth * pixelRatio > widestPicture
}

/**
 * The zoom, in CSS pixels to a pixel of the photo, at which each pixel of the photo is one of the screen. Photos that are
 * fitted larger than that already go by CSS pixels.
 */
export const actualZoom = (fit: number, pixelRatio: number): number =>
  1 / pixelRatio > fit * 1.05 ? 1 / pixelRatio : 1

/** The space that the controls take of a window, from each edge: photos that are fitted lie beside them, not below. */
export function marginsIn({ x, y }: { x: number; y: number }) {
  // In a low window, such as that of a phone on its side, the photo takes all there is, and controls lie on it.
  if (y < 480) return { top: 0, bottom: 0, left: 0, right: 0 }
  if (x < 640) return { top: 56, bottom: 72, left: 0, right: 0 }
  return { top: 56, bottom: 64, left: 64, right: 64 }
}
