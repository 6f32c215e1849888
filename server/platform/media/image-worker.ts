// The program of an image worker process, which runs one task at a time.
import { constants, setPriority } from 'node:os'
import type { ImageTask, ImageTaskResult, TaskFacts } from './image-tasks.ts'
import { makeRenditions } from './make-renditions.ts'
import { makeThumbnail } from './make-thumbnail.ts'
import { measurePicture, TooManyPixels } from './open-picture.ts'

setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.on('disconnect', () => process.exit())
// Terminals send these signals to all processes; only the main process decides when work ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

process.on('message', async (task: ImageTask) => {
  process.send?.(await handleTask(task))
  // Pixels are outside the heap, so the garbage collector does not see how much memory they take.
  if (task.kind === 'rendition') globalThis.gc?.()
})

async function handleTask(task: ImageTask): Promise<ImageTaskResult> {
  try {
    return { outcome: 'made', facts: await runTask(task) }
  } catch (error) {
    return { outcome: 'unreadable', reason: (error as Error).message, isTooLarge: error instanceof TooManyPixels }
  }
}

function runTask(task: ImageTask): Promise<TaskFacts<ImageTask>> {
  if (task.kind === 'thumbnail') return makeThumbnail(task)
  return task.kind === 'measure' ? measurePicture(task) : makeRenditions(task)
}
