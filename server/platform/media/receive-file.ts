import { stat } from 'node:fs/promises'
import type { InspectVideoTask, ReceiveTask, RequestMemory, TaskFacts } from './image-tasks.ts'
import { findLocation } from './location/find-location.ts'
import { makeThumbnail } from './make-thumbnail.ts'
import { readVideoHeader } from './video/video-header.ts'

/** Throws the errors of `makeThumbnail`. */
export async function receiveImage(task: ReceiveTask, requestMemory: RequestMemory): Promise<TaskFacts<ReceiveTask>> {
  const picture = await makeThumbnail(task, requestMemory)
  return { ...picture, ...(await findLocation(task, picture.imageKind)) }
}

export async function inspectVideo(task: InspectVideoTask): Promise<TaskFacts<InspectVideoTask>> {
  const { size } = await stat(task.sourcePath)
  const header = await readVideoHeader(task.sourcePath, size)
  return { header, ...(header ? await findLocation(task, header.kind) : { location: null }) }
}
