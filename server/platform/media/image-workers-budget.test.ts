import { describe, expect, test } from 'vitest'
import { createEndlessTask, createPictureTask, workersForTest } from '../../../tests/support/media/image-tasks.ts'
import { ImageWorkerLost } from './image-workers.ts'

describe('the memory of all running jobs', () => {
  test('stays within the budget: a job that does not fit waits for another to end', async () => {
    const workers = workersForTest({ count: 2, budgetBytes: 100 })
    const { task, begun } = await createEndlessTask()
    const first = workers.run(task, 60)
    const second = workers.run(await createPictureTask(), 41)
    await begun
    const [pid = 0, ...others] = workers.pids()
    expect(others).toEqual([])
    process.kill(pid, 'SIGKILL')
    await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
    expect(await second).toMatchObject({ outcome: 'made' })
  })

  test('is shared by jobs that fit together', async () => {
    const workers = workersForTest({ count: 2, budgetBytes: 100 })
    const { task, begun } = await createEndlessTask()
    const first = workers.run(task, 60)
    await begun
    expect(await workers.run(await createPictureTask(), 40)).toMatchObject({ outcome: 'made' })
    workers.close()
    await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
  })

  test('is exceeded only by one larger job, which runs alone', async () => {
    const workers = workersForTest({ count: 2, budgetBytes: 100 })
    expect(await workers.run(await createPictureTask(), 5000)).toMatchObject({ outcome: 'made' })
    expect(await workers.run(await createPictureTask(), Number.POSITIVE_INFINITY)).toMatchObject({ outcome: 'made' })
    expect(await workers.run(await createPictureTask(), 100)).toMatchObject({ outcome: 'made' })
  })
})
