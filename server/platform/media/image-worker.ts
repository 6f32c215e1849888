// The program of an image worker process, which runs one task at a time.
import { constants, setPriority } from 'node:os'
import {
  type ImageTask,
  type MessageFromWorker,
  type MessageToWorker,
  maxReasonLength,
  type RequestMemory,
  type TaskFacts,
} from './image-tasks.ts'
import { findLocation } from './location/find-location.ts'
import { makeRenditions } from './make-renditions.ts'
import { makeThumbnail } from './make-thumbnail.ts'
import { measureCover } from './measure-cover.ts'
import { measurePicture, RejectedPicture } from './open-picture.ts'
import { readCamera } from './read-camera.ts'
import { inspectVideo, receiveImage, receiveStill } from './receive-file.ts'
import { mergeSidecar, readSidecar } from './sidecar-files.ts'

setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.on('disconnect', () => process.exit())
// Terminals send these signals to all processes; only the main process decides when work ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

let onGranted = () => {}

const requestMemory: RequestMemory = (bytes) =>
  new Promise((resolve) => {
    onGranted = resolve
    process.send?.({ requestedBytes: bytes })
  })

process.on('message', async (message: MessageToWorker) => {
  if (message === 'granted') return onGranted()
  process.send?.(await handleTask(message))
  // Pixels are outside the heap, so the garbage collector does not see how much memory they take.
  if (message.kind === 'rendition') globalThis.gc?.()
})

async function handleTask(task: ImageTask): Promise<MessageFromWorker> {
  try {
    return { outcome: 'made', facts: await runTask(task) }
  } catch (error) {
    if (isDiskFull(error as NodeJS.ErrnoException)) return { outcome: 'diskFull' }
    const reason = (error as Error).message.slice(0, maxReasonLength)
    const rejection = error instanceof RejectedPicture ? error.rejection : { cause: 'damage' as const, imageKind: null }
    return { outcome: 'rejected', ...rejection, reason }
  }
}

/** Errors of sharp have no code, only the text of the system. */
const isDiskFull = ({ code, message }: NodeJS.ErrnoException): boolean =>
  code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device|[Qq]uota exceeded/.test(message)

function runTask(task: ImageTask): Promise<TaskFacts<ImageTask>> {
  switch (task.kind) {
    case 'receive':
      return receiveImage(task, requestMemory)
    case 'thumbnail':
      return makeThumbnail(task, requestMemory)
    case 'still':
      return receiveStill(task, requestMemory)
    case 'rendition':
      return makeRenditions(task, requestMemory)
    case 'measure':
      return measurePicture(task, requestMemory)
    case 'measure-cover':
      return measureCover(task)
    case 'inspect-video':
      return inspectVideo(task)
    case 'location':
      return findLocation(task)
    case 'camera':
      return readCamera(task.sourcePath)
    case 'read-sidecar':
      return readSidecar(task)
    case 'merge-sidecar':
      return mergeSidecar(task)
  }
}
