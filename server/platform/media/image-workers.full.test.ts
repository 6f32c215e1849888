import { expect, test, vi } from 'vitest'
import { createImageFile, plainPicture } from '../../../tests/support/media/image-files.ts'
import {
  createEndlessTask,
  createPictureTask,
  createRenditionTask,
  createThumbnailTask,
  workersForTest,
} from '../../../tests/support/media/image-tasks.ts'
import { StorageFull } from '../storage/storage.ts'
import { BackgroundCanceled, ImageWorkerLost, type JobPriority } from './image-workers.ts'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 60_000, interval: 10 })

test('image workers report a full disk, which is not the fault of the picture', async () => {
  const task = await createRenditionTask()
  const onFullDisk = { ...task, targets: task.targets.map((target) => ({ ...target, targetPath: '/dev/full' })) }
  await expect(workersForTest().run(onFullDisk)).rejects.toThrow(StorageFull)
  await expect(workersForTest().run({ ...(await createPictureTask()), thumbnailPath: '/dev/full' })).rejects.toThrow(
    StorageFull,
  )
})

test('image workers end when idle, and start again when needed', async () => {
  const workers = workersForTest({ idleSeconds: 0.1 })
  await workers.run(await createPictureTask())
  const [pid = 0] = workers.pids()
  await until(() => workers.pids().length === 0 && !isRunning(pid))
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
})

test('image workers are never more than their limit, however many jobs there are', { tags: 'nightly' }, async () => {
  const workers = workersForTest({ count: 2 })
  const jobs = await Promise.all(Array.from({ length: 12 }, createPictureTask))
  const seen = new Set<number>()
  let most = 0
  const watch = setInterval(() => {
    for (const pid of workers.pids()) seen.add(pid)
    most = Math.max(most, workers.pids().length)
  }, 1)
  const results = await Promise.all(jobs.map((task) => workers.run(task)))
  clearInterval(watch)
  expect(results.map(({ outcome }) => outcome)).toEqual(jobs.map(() => 'made'))
  expect(most).toBe(2)
  expect(seen.size).toBe(2)
})

test('image workers finish their jobs when the signal to end reaches the whole group', async () => {
  const workers = workersForTest()
  await workers.run(await createPictureTask())
  const job = workers.run(await createPictureTask())
  for (const pid of workers.pids()) for (const signal of ['SIGINT', 'SIGTERM']) process.kill(pid, signal)
  expect(await job).toMatchObject({ outcome: 'made' })
})

test('image workers start at first use, report a faulty file and are reused', async () => {
  const workers = workersForTest()
  expect(workers.pids()).toEqual([])
  const result = await workers.run(await createThumbnailTask(await createImageFile('no image')))
  expect(result).toMatchObject({ outcome: 'rejected', cause: 'kind', imageKind: null })
  const tiff = await createThumbnailTask(await createImageFile(await plainPicture(100, 100).tiff().toBuffer()))
  const tooLarge = await workers.run({ ...tiff, maxBufferedBytes: 100 * 100 * 6 - 1 })
  expect(tooLarge).toMatchObject({ outcome: 'rejected', cause: 'size', imageKind: 'tiff' })
  const pids = workers.pids()
  expect(pids).toHaveLength(1)
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
  expect(workers.pids()).toEqual(pids)
})

test('uploads and renditions alternate, however many of one kind came first', { tags: 'nightly' }, async () => {
  const workers = workersForTest({ count: 1 })
  const { task, begun } = await createEndlessTask()
  const first = expect(workers.run(task)).rejects.toBeInstanceOf(ImageWorkerLost)
  await begun
  const tasks = [
    ...(await Promise.all(
      [1, 2, 3, 4].map(async () => ({ ...(await createPictureTask()), kind: 'receive' as const })),
    )),
    await createRenditionTask(),
    await createRenditionTask(),
  ]
  const made: string[] = []
  const jobs = tasks.map(async (task) => {
    const { outcome } = await workers.run(task)
    made.push(outcome === 'made' ? task.kind : outcome)
  })
  process.kill(workers.pids()[0] ?? 0, 'SIGKILL')
  await Promise.all([first, ...jobs])
  expect(made).toEqual(['rendition', 'receive', 'rendition', 'receive', 'receive', 'receive'])
})

test('of five jobs that start, one has low priority while others wait', { tags: 'nightly' }, async () => {
  const workers = workersForTest({ count: 1 })
  const { task, begun } = await createEndlessTask()
  const first = expect(workers.run(task)).rejects.toBeInstanceOf(ImageWorkerLost)
  await begun
  const picture = await createPictureTask()
  const made: JobPriority[] = []
  const run = async (priority: JobPriority) => {
    await workers.run(picture, priority)
    made.push(priority)
  }
  const fourOthers: JobPriority[] = ['normal', 'normal', 'normal', 'normal']
  const jobs = ['low' as const, 'low' as const, ...fourOthers, ...fourOthers].map(run)
  process.kill(workers.pids()[0] ?? 0, 'SIGKILL')
  await Promise.all([first, ...jobs])
  expect(['normal', ...made]).toEqual([...fourOthers, 'low', ...fourOthers, 'low', 'normal'])
})

test('a lost worker after a crash fails only its own job, and none if it was idle', async () => {
  const workers = workersForTest({ count: 1 })
  const { task, begun } = await createEndlessTask()
  const crashing = workers.run(task)
  const next = [workers.run(await createPictureTask()), workers.run(await createPictureTask())]
  await begun
  const [pid = 0] = workers.pids()
  process.kill(pid, 'SIGSEGV')
  await expect(crashing).rejects.toBeInstanceOf(ImageWorkerLost)
  expect((await Promise.all(next)).map(({ outcome }) => outcome)).toEqual(['made', 'made'])
  expect(workers.pids()).not.toContain(pid)
  expect(workers.lostWorkers()).toBe(1)
  process.kill(workers.pids()[0] ?? 0, 'SIGKILL')
  await until(() => workers.pids().length === 0)
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
})

test('a lost worker that hangs is ended after the time limit of a job', { tags: 'nightly' }, async () => {
  const workers = workersForTest({ count: 1, jobSeconds: 10 })
  await workers.run(await createPictureTask())
  const [pid = 0] = workers.pids()
  process.kill(pid, 'SIGSTOP')
  await expect(workers.run(await createPictureTask())).rejects.toBeInstanceOf(ImageWorkerLost)
  await until(() => !isRunning(pid))
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
})

test('closing ends the workers and all jobs, and starts no other worker', async () => {
  const workers = workersForTest({ count: 1 })
  const { task, begun } = await createEndlessTask()
  const jobs = [workers.run(task), workers.run(await createPictureTask()), workers.run(await createPictureTask())]
  const outcomes = Promise.allSettled(jobs)
  await begun
  const [pid = 0] = workers.pids()
  workers.close()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await until(() => !isRunning(pid))
  expect(workers.pids()).toEqual([])
  expect(workers.lostWorkers()).toBe(0)
  await expect(workers.run(await createPictureTask())).rejects.toBeInstanceOf(ImageWorkerLost)
})

const idle = () => ({ promoted: new AbortController().signal })

test('background jobs run when no other job waits, and in the queue of their kind once they are wanted', {
  tags: 'nightly',
}, async () => {
  const workers = workersForTest({ count: 1 })
  const { task, begun } = await createEndlessTask()
  const first = expect(workers.run(task)).rejects.toBeInstanceOf(ImageWorkerLost)
  await begun
  const made: string[] = []
  const coming = new AbortController()
  const tasks = [await createPictureTask(), await createPictureTask(), await createPictureTask()] as const
  const run = async (name: string, task: (typeof tasks)[0], background?: { promoted: AbortSignal }) => {
    await workers.run(task, background)
    made.push(name)
  }
  const jobs = [
    run('left', tasks[0], idle()),
    run('fetched', tasks[1], { promoted: coming.signal }),
    run('asked for', tasks[2]),
  ]
  coming.abort()
  process.kill(workers.pids()[0] ?? 0, 'SIGKILL')
  await Promise.all([first, ...jobs])
  expect(made).toEqual(['asked for', 'fetched', 'left'])
})

test('background jobs allow one extra worker for a foreground job', { tags: 'nightly' }, async () => {
  const workers = workersForTest({ count: 1 })
  const { task, begun } = await createEndlessTask()
  const background = workers.run(task, idle())
  await begun
  const before = workers.lastForegroundAt()
  expect(before).toBe(Number.NEGATIVE_INFINITY)
  const askedAt = performance.now()
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
  expect(workers.lastForegroundAt()).toBeGreaterThanOrEqual(askedAt)
  expect(workers.pids()).toHaveLength(2)
  const waiting = workers.run(await createPictureTask(), idle())
  const outcomes = Promise.allSettled([background, waiting])
  workers.cancelBackground()
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(BackgroundCanceled) })
  }
})
