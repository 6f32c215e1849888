import { pictureUnits } from '../../../contract/gallery/thread-kinds.ts'
import type { ThreadBody } from '../../../contract/gallery/threads.ts'
import { toPicturePoint } from '../../shared/picture/picture-points.ts'

/** A pin or a box, in millionths of the upright picture. */
export type Mark = Pick<ThreadBody, 'kind' | 'x' | 'y' | 'w' | 'h'>

/** Where the window shows the whole picture, at any zoom. */
export type PictureBox = { left: number; top: number; width: number; height: number }

/** What the viewer shows. */
export type PictureFrame = {
  /** Null without a picture of known size. */
  getBox: () => PictureBox | null
  /** Places an element exactly over the picture, until the returned function is called. */
  follow: (element: HTMLElement) => () => void
  /** Takes the touches that zoom and move the picture. */
  gestures: HTMLElement
}

type ClientPoint = { clientX: number; clientY: number }

/** A shorter drag puts a pin. */
const minBoxPx = 10

/** Returns the pin or the box of a drag, the parts beside the picture cut off. Null if it lies beside the picture. */
export function toMark(box: PictureBox, from: ClientPoint, to: ClientPoint): Mark | null {
  const isPin = Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) < minBoxPx
  const [start, end] = [toUnits(box, from), toUnits(box, to)]
  if (isPin) return isInside(box, from) ? { kind: 'pin', ...start } : null
  const [x, y] = [Math.min(start.x, end.x), Math.min(start.y, end.y)]
  const [w, h] = [Math.max(start.x, end.x) - x, Math.max(start.y, end.y) - y]
  return w > 0 && h > 0 ? { kind: 'box', x, y, w, h } : null
}

function toUnits(box: PictureBox, at: ClientPoint): { x: number; y: number } {
  const { x, y } = toPicturePoint(box, at)
  return { x: Math.round(x * pictureUnits), y: Math.round(y * pictureUnits) }
}

const isInside = ({ left, top, width, height }: PictureBox, { clientX, clientY }: ClientPoint): boolean =>
  clientX >= left && clientX <= left + width && clientY >= top && clientY <= top + height

export const centerPin: Mark = { kind: 'pin', x: pictureUnits / 2, y: pictureUnits / 2 }

/** `by`: a movement in millionths. A mark stays on the picture. */
export function moveMark(mark: Mark, by: { x: number; y: number }): Mark {
  const { x, y, w = 0, h = 0 } = mark
  return { ...mark, x: clamp(x + by.x, 0, pictureUnits - w), y: clamp(y + by.y, 0, pictureUnits - h) }
}

/** Moves the lower right corner. A pin becomes a box, which begins as large as the movement in both directions. */
export function resizeMark(mark: Mark, by: { x: number; y: number }, step: { x: number; y: number }): Mark {
  const { x, y, w = Math.abs(step.x), h = Math.abs(step.y) } = moveMark(mark, { x: 0, y: 0 })
  const [left, top] = [Math.min(x, pictureUnits - step.x), Math.min(y, pictureUnits - step.y)]
  return {
    ...{ kind: 'box', x: left, y: top },
    w: clamp(w + by.x, step.x, pictureUnits - left),
    h: clamp(h + by.y, step.y, pictureUnits - top),
  }
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

/** Names of the thirds of the picture, row by row. */
const places = [
  ...['placeUpperLeft', 'placeTop', 'placeUpperRight'],
  ...['placeLeft', 'placeMiddle', 'placeRight'],
  ...['placeLowerLeft', 'placeBottom', 'placeLowerRight'],
] as const

/** Returns the message of the part of the picture where the middle of the mark lies. */
export function placeOf({ x, y, w, h }: { x: number; y: number; w?: number | null; h?: number | null }) {
  const third = (at: number) => Math.min(2, Math.floor((3 * at) / pictureUnits))
  return places[3 * third(y + (h ?? 0) / 2) + third(x + (w ?? 0) / 2)] ?? 'placeMiddle'
}
