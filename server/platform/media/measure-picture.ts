import type { MeasureTask, PixelSize } from './image-tasks.ts'
import { openPicture } from './open-picture.ts'

/** Reads only the header; throws when it is damaged. */
export async function measurePicture(task: MeasureTask): Promise<PixelSize> {
  const { header } = await openPicture({ ...task, maxBufferedBytes: Number.POSITIVE_INFINITY })
  const { width, height } = header.autoOrient
  return { width, height }
}
