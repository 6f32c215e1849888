/** A point of an upright picture, from 0 to 1 from its upper left corner. */
export type PicturePoint = { x: number; y: number }

type Box = { left: number; top: number; width: number; height: number }

/** `box`: where the window shows the whole picture, at any zoom. Points beside the picture are moved to its edge. */
export const toPicturePoint = (box: Box, { clientX, clientY }: { clientX: number; clientY: number }): PicturePoint => ({
  x: limit((clientX - box.left) / box.width),
  y: limit((clientY - box.top) / box.height),
})

/** Returns the pixels from the upper left corner of the picture, which has this size in the window. */
export const toPicturePixels = (
  { x, y }: PicturePoint,
  { width, height }: { width: number; height: number },
): { left: number; top: number } => ({ left: x * width, top: y * height })

const limit = (part: number): number => Math.min(Math.max(part, 0), 1)
