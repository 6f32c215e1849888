import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createEndlessTask, createPictureTask, workersForTest } from '../../../tests/support/media/image-tasks.ts'
import { ImageWorkerLost } from './image-workers.ts'

/** What a worker asks for to decode a small JPEG. */
const jpegBytes = 32 * 2 ** 20

describe('the memory of all running jobs', () => {
  test('stays within the budget: a job that does not fit waits for another to end', async () => {
    const workers = workersForTest({ count: 2, budgetBytes: 2 * jpegBytes - 1 })
    const { task, begun } = await createEndlessTask()
    const first = workers.run(task)
    await begun
    const [pid = 0] = workers.pids()
    const second = workers.run(await createPictureTask())
    expect(await Promise.race([second, sleep(500, 'waiting')])).toBe('waiting')
    process.kill(pid, 'SIGKILL')
    await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
    expect(await second).toMatchObject({ outcome: 'made' })
  })

  test('is shared by jobs that fit together', async () => {
    const workers = workersForTest({ count: 2, budgetBytes: 2 * jpegBytes })
    const { task, begun } = await createEndlessTask()
    const first = workers.run(task)
    await begun
    expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
    workers.close()
    await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
  })

  test('is exceeded only by one larger job, which runs alone', async () => {
    const workers = workersForTest({ count: 2, budgetBytes: jpegBytes - 1 })
    const tasks = await Promise.all([createPictureTask(), createPictureTask(), createPictureTask()])
    const results = await Promise.all(tasks.map((task) => workers.run(task)))
    expect(results.map(({ outcome }) => outcome)).toEqual(['made', 'made', 'made'])
  })
})

test('a worker that requests memory twice is ended, and takes no memory from later jobs', async () => {
  const processes = collectProcesses()
  const workers = workersForTest({ count: 1, budgetBytes: jpegBytes })
  const { task, begun } = await createEndlessTask()
  const first = workers.run(task)
  await begun
  for (const requestedBytes of [1, 2]) processes[0]?.emit('message', { requestedBytes })
  await expect(first).rejects.toBeInstanceOf(ImageWorkerLost)
  expect(processes[0]?.killed).toBe(true)
  expect(await workers.run(await createPictureTask())).toMatchObject({ outcome: 'made' })
})

/** Returns a list to which each process is added that starts during the test. */
function collectProcesses(): ChildProcess[] {
  const processes: ChildProcess[] = []
  const collect = (message: unknown) => processes.push((message as { process: ChildProcess }).process)
  subscribe('child_process', collect)
  onTestFinished(() => void unsubscribe('child_process', collect))
  return processes
}
