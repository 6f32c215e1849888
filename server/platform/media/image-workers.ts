import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ImageTask, ImageTaskResult } from './image-tasks.ts'

export class ImageWorkerLost extends Error {}

/** The service has ended this background job. The file is not the cause. */
export class BackgroundCanceled extends Error {}

type ForegroundQueue = 'thumbnail' | 'rendition'
type Queue = ForegroundQueue | 'background'

type Job = {
  task: ImageTask
  queue: Queue
  bytes: number
  resolve: (result: ImageTaskResult) => void
  reject: (error: Error) => void
}
type ImageWorker = { process: ChildProcess; job: Job | null; timer: NodeJS.Timeout | null }

/** A background job runs when no other job waits. Aborting `promoted` makes it a foreground job. */
export type BackgroundPriority = { promoted: AbortSignal }

export type ImageWorkers = {
  /** A job waits until the budget has room for `bytes`. Rejects with ImageWorkerLost or BackgroundCanceled. */
  run: <Task extends ImageTask>(
    task: Task,
    bytes: number,
    background?: BackgroundPriority,
  ) => Promise<ImageTaskResult<Task>>
  /** The `performance.now()` when a foreground job was last requested or ended; the current one while any exists. */
  lastForegroundAt: () => number
  /** Ends all background jobs, running or waiting; each rejects with BackgroundCanceled. */
  cancelBackground: () => void
  lostWorkers: () => number
  pids: () => number[]
  close: () => void
}

export type ImageWorkerLimits = {
  count: number
  /** Limit for all running jobs together; a larger job runs alone. */
  budgetBytes: number
  jobSeconds: number
  idleSeconds: number
}

export const defaultLimits: ImageWorkerLimits = { count: 2, budgetBytes: 300e6, jobSeconds: 60, idleSeconds: 20 }

/**
 * Decodes images in child processes, so that a crash, a hang or an out-of-memory error of the decoder affects one
 * photo.
 *
 * Thumbnails and renditions have separate queues that alternate, so that uploads and viewers do not delay each other.
 * While a background job runs, one extra worker may start for a foreground job.
 */
export function createImageWorkers(limits: ImageWorkerLimits = defaultLimits): ImageWorkers {
  const workers = new Set<ImageWorker>()
  const queues: Record<Queue, Job[]> = { thumbnail: [], rendition: [], background: [] }
  let lastServedQueue: ForegroundQueue = 'rendition'
  let lastForegroundAt = Number.NEGATIVE_INFINITY
  let bytesInFlight = 0
  let lostWorkers = 0
  let isClosed = false

  function dispatch(): void {
    const queue = selectNextQueue()
    const next = queue[0]
    if (!next) return
    const hasRoom = bytesInFlight === 0 || bytesInFlight + next.bytes <= limits.budgetBytes
    if (!hasRoom) return
    const worker = findWorker(next)
    if (!worker) return
    queue.shift()
    if (next.queue !== 'background') lastServedQueue = next.queue
    assign(worker, next)
    dispatch()
  }

  function selectNextQueue(): Job[] {
    const other = lastServedQueue === 'thumbnail' ? 'rendition' : 'thumbnail'
    return [queues[other], queues[lastServedQueue]].find((queue) => queue.length > 0) ?? queues.background
  }

  function findWorker({ queue }: Job): ImageWorker | undefined {
    const all = [...workers]
    const busy = all.filter(({ job }) => job !== null)
    const isBlocked = queue !== 'background' && busy.some(({ job }) => job?.queue === 'background')
    if (busy.length >= limits.count + (isBlocked ? 1 : 0)) return undefined
    return all.find(({ job }) => job === null) ?? start()
  }

  function start(): ImageWorker {
    const child = forkWorker()
    const worker: ImageWorker = { process: child, job: null, timer: null }
    child.on('message', (result: ImageTaskResult) => finish(worker, (job) => job.resolve(result)))
    child.on('error', () => handleLoss(worker))
    child.on('exit', () => handleLoss(worker))
    workers.add(worker)
    return worker
  }

  function assign(worker: ImageWorker, job: Job): void {
    clearTimer(worker)
    worker.job = job
    worker.timer = setTimeout(() => worker.process.kill('SIGKILL'), limits.jobSeconds * 1000)
    bytesInFlight += job.bytes
    worker.process.send(job.task, (error) => error && handleLoss(worker))
  }

  function finish(worker: ImageWorker, settle: (job: Job) => void): void {
    const { job } = worker
    if (!job) return
    clearTimer(worker)
    worker.job = null
    bytesInFlight -= job.bytes
    if (job.queue !== 'background') lastForegroundAt = performance.now()
    settle(job)
    const idleSeconds = job.queue === 'background' ? limits.idleSeconds / 4 : limits.idleSeconds
    worker.timer = setTimeout(() => retire(worker), idleSeconds * 1000)
    worker.timer.unref()
    dispatch()
  }

  /** Removes the worker from the set first, so that no job is assigned to a worker that is about to end. */
  function retire(worker: ImageWorker): void {
    workers.delete(worker)
    worker.process.kill('SIGKILL')
  }

  function handleLoss(worker: ImageWorker): void {
    workers.delete(worker)
    if (worker.job && !isClosed) lostWorkers++
    finish(worker, (job) => job.reject(new ImageWorkerLost('The image worker ended while it worked on a file')))
    clearTimer(worker)
    dispatch()
  }

  function promote(job: Job): void {
    lastForegroundAt = performance.now()
    const position = queues.background.indexOf(job)
    job.queue = selectForegroundQueue(job.task)
    if (position === -1) return
    queues.background.splice(position, 1)
    queues[job.queue].push(job)
    dispatch()
  }

  const hasForegroundJob = (): boolean =>
    queues.thumbnail.length + queues.rendition.length > 0 ||
    [...workers].some(({ job }) => job !== null && job.queue !== 'background')

  return {
    run: (task, bytes, background) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new ImageWorkerLost('The image workers are closed'))
        const isForeground = !background || background.promoted.aborted
        const queue = isForeground ? selectForegroundQueue(task) : 'background'
        const settle = resolve as Job['resolve']
        const job: Job = { task, queue, bytes: Math.min(bytes, limits.budgetBytes), resolve: settle, reject }
        if (isForeground) lastForegroundAt = performance.now()
        else background.promoted.addEventListener('abort', () => promote(job), { once: true })
        queues[queue].push(job)
        dispatch()
      }),
    lastForegroundAt: () => (hasForegroundJob() ? performance.now() : lastForegroundAt),
    cancelBackground: () => {
      for (const job of queues.background.splice(0)) job.reject(new BackgroundCanceled())
      for (const worker of [...workers].filter(({ job }) => job?.queue === 'background')) {
        workers.delete(worker)
        worker.process.kill('SIGKILL')
        finish(worker, (job) => job.reject(new BackgroundCanceled()))
        clearTimer(worker)
      }
    },
    lostWorkers: () => lostWorkers,
    pids: () => [...workers].flatMap(({ process: { pid } }) => pid ?? []),
    close: () => {
      isClosed = true
      const waiting = Object.values(queues).flatMap((queue) => queue.splice(0))
      for (const job of waiting) job.reject(new ImageWorkerLost('The image workers were closed'))
      for (const worker of workers) worker.process.kill('SIGKILL')
      workers.clear()
    },
  }
}

const forkWorker = (): ChildProcess =>
  fork(new URL('./image-worker.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1', '--expose-gc'],
    env: {
      ...process.env,
      // With one memory arena, freed pixels return to the system.
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '131072',
      UV_THREADPOOL_SIZE: '2',
      // Hides the system fonts, so that text looks the same everywhere.
      FONTCONFIG_FILE: fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url)),
    },
  })

const selectForegroundQueue = ({ kind }: ImageTask): ForegroundQueue =>
  kind === 'thumbnail' ? 'thumbnail' : 'rendition'

function clearTimer(worker: ImageWorker): void {
  if (worker.timer) clearTimeout(worker.timer)
  worker.timer = null
}
