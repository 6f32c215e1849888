import { stat } from 'node:fs/promises'
import { readXmpMarks } from '../xmp/read-xmp.ts'
import type { InspectVideoTask, ReceiveTask, RequestMemory, TaskFacts } from './image-tasks.ts'
import { findLocation } from './location/find-location.ts'
import { makeThumbnailWithXmp } from './make-thumbnail.ts'
import { readVideoHeader } from './video/video-header.ts'

/** More than Lightroom embeds. The rating of a larger packet is not worth the time of a worker. */
const maxEmbeddedXmpBytes = 2 ** 20

/** Throws the errors of `makeThumbnail`. */
export async function receiveImage(task: ReceiveTask, requestMemory: RequestMemory): Promise<TaskFacts<ReceiveTask>> {
  const { xmp, ...picture } = await makeThumbnailWithXmp(task, requestMemory)
  const marks = task.readsMarks && xmp && xmp.length <= maxEmbeddedXmpBytes ? readXmpMarks(xmp) : null
  return { ...picture, ...(await findLocation(task, picture.imageKind)), marks }
}

export async function inspectVideo(task: InspectVideoTask): Promise<TaskFacts<InspectVideoTask>> {
  const { size } = await stat(task.sourcePath)
  const header = await readVideoHeader(task.sourcePath, size)
  return { header, ...(header ? await findLocation(task, header.kind) : { location: null }) }
}
