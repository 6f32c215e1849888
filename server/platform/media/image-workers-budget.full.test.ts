import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEndlessTask, createPictureTask, workersForTest } from '../../../tests/support/media/image-tasks.ts'
import { ImageWorkerLost } from './image-workers.ts'

/** What a worker requests to decode a small JPEG. */
const jpegBytes = 32 * 2 ** 20

test.each([
  ['exceeds the budget together with the running one', 2 * jpegBytes - 1],
  ['is larger than the budget', jpegBytes - 1],
])(
  'the memory of all running jobs stays within the budget: a job that %s waits for the other to end',
  async (_name, budgetBytes) => {
    const { processes, messages } = watchWorkers()
    const workers = workersForTest({ count: 2, budgetBytes })
    const { task, begun } = await createEndlessTask()
    const first = workers.run(task)
    await begun
    const second = workers.run(await createPictureTask())
    await vi.waitUntil(() => messages.length > 2, { timeout: 60_000 })
    expect(messages).toEqual(['requested', 'granted', 'requested'])
    processes[0]?.kill('SIGKILL')
    await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
    expect(await second).toMatchObject({ outcome: 'made' })
    expect(messages).toEqual(['requested', 'granted', 'requested', 'granted'])
  },
)

test('the memory of all running jobs is shared by jobs that fit together', async () => {
  const workers = workersForTest({ count: 2, budgetBytes: 2 * jpegBytes })
  const { task, begun } = await createEndlessTask()
  const first = workers.run(task)
  await begun
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
  workers.close()
  await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
})

test('a job that runs alone delays others by its time limit at most', { tags: 'nightly' }, async () => {
  const workers = workersForTest({ count: 2, budgetBytes: jpegBytes - 1, jobSeconds: 3 })
  const { task, begun } = await createEndlessTask()
  const alone = workers.run(task, 'low')
  await begun
  const outcomes = Promise.allSettled([alone, workers.run(await createPictureTask())])
  expect(await outcomes).toMatchObject([{ reason: expect.any(ImageWorkerLost) }, { value: { outcome: 'made' } }])
})

test('a worker that requests memory twice is ended, and takes no memory from later jobs', async () => {
  const { processes } = watchWorkers()
  const workers = workersForTest({ count: 1, budgetBytes: jpegBytes })
  const { task, begun } = await createEndlessTask()
  const first = workers.run(task)
  await begun
  for (const requestedBytes of [1, 2]) processes[0]?.emit('message', { requestedBytes })
  await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
  expect(processes[0]?.killed).toBe(true)
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
})

/** Returns lists of the processes that start during the test, and of their requests for memory and the answers. */
function watchWorkers() {
  const processes: ChildProcess[] = []
  const messages: Array<'requested' | 'granted'> = []
  const watch = (started: unknown) => {
    const { process } = started as { process: ChildProcess }
    processes.push(process)
    process.on('message', (message: object) => 'requestedBytes' in message && messages.push('requested'))
    // Node reports a process before it can be sent messages.
    queueMicrotask(() => {
      const send = process.send.bind(process)
      vi.spyOn(process, 'send').mockImplementation((...sent: Parameters<typeof send>) => {
        if (sent[0] === 'granted') messages.push('granted')
        return send(...sent)
      })
    })
  }
  subscribe('child_process', watch)
  onTestFinished(() => void unsubscribe('child_process', watch))
  return { processes, messages }
}
