// The program of an image worker: one task at a time, by message from the service that started it.
import { constants, setPriority } from 'node:os'
import type { ImageTask, ImageTaskResult } from './image-tasks.ts'
import { makeThumbnail } from './make-thumbnail.ts'

setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.on('disconnect', () => process.exit())

process.on('message', async (task: ImageTask) => {
  process.send?.(await carryOut(task))
})

async function carryOut(task: ImageTask): Promise<ImageTaskResult> {
  try {
    return { outcome: 'made', facts: await makeThumbnail(task) }
  } catch (error) {
    return { outcome: 'unreadable', reason: (error as Error).message }
  }
}
