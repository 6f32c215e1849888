import { type ChildProcess, fork } from 'node:child_process'
import type { ImageTask, ImageTaskResult } from './image-tasks.ts'

/** The process that worked on this image crashed, hung or ran out of memory. Others are not affected. */
export class ImageWorkerLost extends Error {}

type Job = {
  task: ImageTask
  bytes: number
  /** Its facts are those of the task. */
  resolve: (result: ImageTaskResult) => void
  reject: (error: Error) => void
}
type ImageWorker = { process: ChildProcess; job: Job | null; timer: NodeJS.Timeout | null }

export type ImageWorkers = {
  /** `bytes`: what decoding takes, at most; jobs wait until the budget has room. Rejects with ImageWorkerLost. */
  run: <Task extends ImageTask>(task: Task, bytes: number) => Promise<ImageTaskResult<Task>>
  /** Process ids of the running workers. */
  pids: () => number[]
  /** Ends the workers, the jobs that run and those that wait. */
  close: () => void
}

export type ImageWorkerLimits = {
  count: number
  /** All jobs in flight together stay within it; a larger one runs alone. */
  budgetBytes: number
  jobSeconds: number
  idleSeconds: number
}

export const defaultLimits: ImageWorkerLimits = { count: 2, budgetBytes: 300e6, jobSeconds: 60, idleSeconds: 20 }

/**
 * Images are decoded in child processes, so that a crash, a hang or an out-of-memory of the decoder costs one photo.
 * Started at first need, ended when idle, below the service in priority so that answers come first. Each kind of task
 * stands in a line of its own and the lines are served in turn: a run of uploads holds up no viewer, nor the reverse.
 */
export function createImageWorkers(limits: ImageWorkerLimits = defaultLimits): ImageWorkers {
  const workers = new Set<ImageWorker>()
  const lines: Record<ImageTask['kind'], Job[]> = { thumbnail: [], rendition: [] }
  let lastServed: ImageTask['kind'] = 'rendition'
  let bytesInFlight = 0
  let isClosed = false

  function dispatch(): void {
    const line = nextLine()
    const next = line[0]
    if (!next) return
    const hasRoom = bytesInFlight === 0 || bytesInFlight + next.bytes <= limits.budgetBytes
    if (!hasRoom) return
    const worker = [...workers].find((one) => one.job === null) ?? (workers.size < limits.count ? start() : null)
    if (!worker) return
    line.shift()
    lastServed = next.task.kind
    assign(worker, next)
    dispatch()
  }

  function nextLine(): Job[] {
    const other = lastServed === 'thumbnail' ? 'rendition' : 'thumbnail'
    return lines[other].length > 0 ? lines[other] : lines[lastServed]
  }

  function start(): ImageWorker {
    const child = fork(new URL('./image-worker.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=64'],
      // One arena: freed pixels go back to the system instead of lying about in many.
      env: { ...process.env, MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
    })
    const worker: ImageWorker = { process: child, job: null, timer: null }
    child.on('message', (result: ImageTaskResult) => finish(worker, (job) => job.resolve(result)))
    child.on('error', () => lose(worker))
    child.on('exit', () => lose(worker))
    workers.add(worker)
    return worker
  }

  function assign(worker: ImageWorker, job: Job): void {
    clearTimer(worker)
    worker.job = job
    worker.timer = setTimeout(() => worker.process.kill('SIGKILL'), limits.jobSeconds * 1000)
    bytesInFlight += job.bytes
    worker.process.send(job.task, (error) => error && lose(worker))
  }

  function finish(worker: ImageWorker, settle: (job: Job) => void): void {
    const { job } = worker
    if (!job) return
    clearTimer(worker)
    worker.job = null
    bytesInFlight -= job.bytes
    settle(job)
    worker.timer = setTimeout(() => retire(worker), limits.idleSeconds * 1000)
    worker.timer.unref()
    dispatch()
  }

  /** Out of the set first, so that no job is given to a worker about to end. */
  function retire(worker: ImageWorker): void {
    workers.delete(worker)
    worker.process.kill()
  }

  function lose(worker: ImageWorker): void {
    workers.delete(worker)
    finish(worker, (job) => job.reject(new ImageWorkerLost('The image worker ended while it worked on a file')))
    clearTimer(worker)
    dispatch()
  }

  return {
    run: (task, bytes) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new ImageWorkerLost('The image workers are closed'))
        lines[task.kind].push({
          task,
          bytes: Math.min(bytes, limits.budgetBytes),
          resolve: resolve as Job['resolve'],
          reject,
        })
        dispatch()
      }),
    pids: () => [...workers].flatMap(({ process: { pid } }) => pid ?? []),
    close: () => {
      isClosed = true
      const waiting = Object.values(lines).flatMap((line) => line.splice(0))
      for (const job of waiting) job.reject(new ImageWorkerLost('The image workers were closed'))
      for (const worker of workers) worker.process.kill('SIGKILL')
      workers.clear()
    },
  }
}

function clearTimer(worker: ImageWorker): void {
  if (worker.timer) clearTimeout(worker.timer)
  worker.timer = null
}
