/** The part of a photo that every frame shows. `zoom` 1 is the fitted size; `x` and `y` are the center, from 0 to 1. */
export type View = { zoom: number; x: number; y: number }

export type Size = { width: number; height: number }

/** A position relative to the center of the frame, or a movement, in pixels. */
export type Point = { left: number; top: number }

export const fittedView: View = { zoom: 1, x: 0.5, y: 0.5 }

export function fitSize(frame: Size, photo: Size): Size {
  const scale = Math.min(frame.width / photo.width, frame.height / photo.height)
  return { width: photo.width * scale, height: photo.height * scale }
}

/** Returns the zoom at which one photo pixel is one screen pixel, at least 1. */
export const getActualZoom = (frame: Size, photo: Size, pixelRatio: number): number =>
  Math.max(1, photo.width / pixelRatio / fitSize(frame, photo).width)

const minZoomRange = 4

export const getMaxZoom = (frame: Size, photo: Size, pixelRatio: number): number =>
  Math.max(minZoomRange, 2 * getActualZoom(frame, photo, pixelRatio))

/** Limits the view so that a photo larger than its frame leaves no empty space. Centers a smaller photo. */
export function clampView({ zoom, x, y }: View, frame: Size, photo: Size): View {
  const { width, height } = fitSize(frame, photo)
  return { zoom, x: clampCenter(x, frame.width / (width * zoom)), y: clampCenter(y, frame.height / (height * zoom)) }
}

/** `visiblePart`: frame size divided by zoomed photo size on one axis. */
const clampCenter = (point: number, visiblePart: number): number =>
  visiblePart >= 1 ? 0.5 : Math.min(Math.max(point, visiblePart / 2), 1 - visiblePart / 2)

/** Returns the position of the photo's center. */
export function getPhotoOffset(view: View, frame: Size, photo: Size): Point {
  const { zoom, x, y } = clampView(view, frame, photo)
  const { width, height } = fitSize(frame, photo)
  return { left: (0.5 - x) * width * zoom, top: (0.5 - y) * height * zoom }
}

export function panView(view: View, by: Point, frame: Size, photo: Size): View {
  const now = clampView(view, frame, photo)
  const { width, height } = fitSize(frame, photo)
  const moved = { ...now, x: now.x - by.left / (width * now.zoom), y: now.y - by.top / (height * now.zoom) }
  return clampView(moved, frame, photo)
}

/** The point of the photo at `at` does not move in the frame, as far as the limits allow. */
export function zoomView(
  view: View,
  zoom: number,
  at: Point,
  { frame, photo, widest }: { frame: Size; photo: Size; widest: number },
): View {
  const next = Math.min(Math.max(zoom, 1), widest)
  const now = clampView(view, frame, photo)
  const { width, height } = fitSize(frame, photo)
  const shift = 1 / now.zoom - 1 / next
  const moved = { zoom: next, x: now.x + (at.left / width) * shift, y: now.y + (at.top / height) * shift }
  return clampView(moved, frame, photo)
}
