import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../process/child-environment.ts'
import { StorageFull } from '../storage/storage.ts'
import { isDiskFull, isMemoryRequest, isTaskResult } from './image-results.ts'
import type { ImageTask, ImageTaskResult, MessageToWorker } from './image-tasks.ts'
import { MemoryBudget } from './memory-budget.ts'

export class ImageWorkerLost extends Error {}

/** The service has ended this background job. The file is not the cause. */
export class BackgroundCanceled extends Error {}

type ForegroundQueue = 'thumbnail' | 'rendition' | 'low'
type Queue = ForegroundQueue | 'background'

type Job = {
  task: ImageTask
  queue: Queue
  resolve: (result: ImageTaskResult) => void
  reject: (error: Error) => void
}
type ImageWorker = { process: ChildProcess; job: Job | null; timer: NodeJS.Timeout | null }

/** A background job starts only when no foreground job waits. Aborting `promoted` makes it a foreground job. */
export type BackgroundPriority = { promoted: AbortSignal }

/** While jobs of normal priority wait, one of five to nine jobs that start has `low` priority. */
export type JobPriority = 'normal' | 'low' | BackgroundPriority

export type ImageWorkerLimits = {
  count: number
  /** Limit for all running jobs together; a larger job runs alone. */
  budgetBytes: number
  jobSeconds: number
  idleSeconds: number
}

const normalQueues: ForegroundQueue[] = ['thumbnail', 'rendition']

export const defaultLimits: ImageWorkerLimits = { count: 2, budgetBytes: 300e6, jobSeconds: 60, idleSeconds: 20 }

/**
 * Decodes images in child processes, so that a crash, a hang or an out-of-memory error of the decoder affects one
 * photo.
 *
 * Thumbnails, renditions and jobs of low priority have separate queues that are served round-robin, so that a long
 * queue of one does not block the others. While a background job runs, one extra worker may start for a foreground job.
 * A worker asks for memory before it decodes, and waits until the budget has room.
 */
export class ImageWorkers {
  readonly #limits: ImageWorkerLimits
  readonly #memory: MemoryBudget<Job>
  readonly #workers = new Set<ImageWorker>()
  readonly #queues: Record<Queue, Job[]> = { thumbnail: [], rendition: [], low: [], background: [] }
  /** The first queue with a job is served next. Then it goes to the end, together with those before it. */
  readonly #rotation: ForegroundQueue[] = [...normalQueues, ...normalQueues, ...normalQueues, ...normalQueues, 'low']
  #lastForegroundAt = Number.NEGATIVE_INFINITY
  #lostWorkers = 0
  #isClosed = false

  constructor(limits: ImageWorkerLimits = defaultLimits) {
    this.#limits = limits
    this.#memory = new MemoryBudget(limits.budgetBytes)
  }

  /** Rejects with ImageWorkerLost, BackgroundCanceled or StorageFull. */
  run<Task extends ImageTask>(task: Task, priority: JobPriority = 'normal'): Promise<ImageTaskResult<Task>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new ImageWorkerLost('The image workers are closed'))
      const background = typeof priority === 'string' || priority.promoted.aborted ? null : priority
      const queue = background ? 'background' : priority === 'low' ? 'low' : foregroundQueues[task.kind]
      const settle = resolve as Job['resolve']
      const job: Job = { task, queue, resolve: settle, reject }
      if (background) background.promoted.addEventListener('abort', () => this.#promote(job), { once: true })
      else this.#lastForegroundAt = performance.now()
      this.#queues[queue].push(job)
      this.#dispatch()
    })
  }

  /**
   * Returns the time, as of `performance.now()`, when a foreground job was last requested, promoted or ended. While a
   * foreground job waits or runs, returns the current time.
   */
  lastForegroundAt(): number {
    return this.#hasForegroundJob() ? performance.now() : this.#lastForegroundAt
  }

  /** Ends all background jobs, running or waiting; each rejects with BackgroundCanceled. */
  cancelBackground(): void {
    for (const job of this.#queues.background.splice(0)) job.reject(new BackgroundCanceled())
    for (const worker of [...this.#workers].filter(({ job }) => job?.queue === 'background')) {
      this.#retire(worker)
      this.#finish(worker, (job) => job.reject(new BackgroundCanceled()))
      clearTimer(worker)
    }
  }

  lostWorkers(): number {
    return this.#lostWorkers
  }

  /** Returns the number of waiting jobs in each queue. */
  waiting(): Record<Queue, number> {
    const { thumbnail, rendition, low, background } = this.#queues
    return {
      thumbnail: thumbnail.length,
      rendition: rendition.length,
      low: low.length,
      background: background.length,
    }
  }

  running(): number {
    return [...this.#workers].filter(({ job }) => job !== null).length
  }

  pids(): number[] {
    return [...this.#workers].flatMap(({ process: { pid } }) => pid ?? [])
  }

  close(): void {
    this.#isClosed = true
    const waiting = Object.values(this.#queues).flatMap((queue) => queue.splice(0))
    for (const job of waiting) job.reject(new ImageWorkerLost('The image workers were closed'))
    for (const worker of this.#workers) worker.process.kill('SIGKILL')
    this.#workers.clear()
  }

  #dispatch(): void {
    const position = this.#rotation.findIndex((name) => this.#queues[name].length > 0)
    const queue = this.#queues[this.#rotation[position] ?? 'background']
    const next = queue[0]
    if (!next) return
    const worker = this.#findWorker(next)
    if (!worker) return
    queue.shift()
    this.#rotation.push(...this.#rotation.splice(0, position + 1))
    this.#assign(worker, next)
    this.#dispatch()
  }

  #findWorker({ queue }: Job): ImageWorker | undefined {
    const all = [...this.#workers]
    const busy = all.filter(({ job }) => job !== null)
    const isBlocked = queue !== 'background' && busy.some(({ job }) => job?.queue === 'background')
    if (busy.length >= this.#limits.count + (isBlocked ? 1 : 0)) return undefined
    return all.find(({ job }) => job === null) ?? this.#start()
  }

  #start(): ImageWorker {
    const child = forkWorker()
    const worker: ImageWorker = { process: child, job: null, timer: null }
    child.on('message', (message) => this.#handleMessage(worker, message))
    child.on('error', () => this.#handleLoss(worker))
    child.on('exit', () => this.#handleLoss(worker))
    this.#workers.add(worker)
    return worker
  }

  #assign(worker: ImageWorker, job: Job): void {
    worker.job = job
    this.#startTimeLimit(worker)
    this.#send(worker, job.task)
  }

  #send(worker: ImageWorker, message: MessageToWorker): void {
    worker.process.send(message, (error) => error && this.#handleLoss(worker))
  }

  #startTimeLimit(worker: ImageWorker): void {
    clearTimer(worker)
    worker.timer = setTimeout(() => this.#kill(worker), this.#limits.jobSeconds * 1000)
  }

  #handleMessage(worker: ImageWorker, message: unknown): void {
    const { job } = worker
    if (!job) return
    if (isMemoryRequest(message) && !this.#memory.hasRequested(job)) {
      // Waiting for others does not count against the time limit.
      clearTimer(worker)
      this.#memory.request(job, message.requestedBytes, () => {
        this.#startTimeLimit(worker)
        this.#send(worker, 'granted')
      })
    } else if (isTaskResult(job.task, message)) this.#finish(worker, () => job.resolve(message))
    else if (isDiskFull(message)) this.#finish(worker, () => job.reject(new StorageFull()))
    else this.#kill(worker)
  }

  #finish(worker: ImageWorker, settle: (job: Job) => void): void {
    const { job } = worker
    if (!job) return
    clearTimer(worker)
    worker.job = null
    if (job.queue !== 'background') this.#lastForegroundAt = performance.now()
    settle(job)
    const { idleSeconds } = this.#limits
    const keptSeconds = job.queue === 'background' ? idleSeconds / 4 : idleSeconds
    worker.timer = setTimeout(() => this.#retire(worker), keptSeconds * 1000)
    worker.timer.unref()
    this.#memory.release(job)
    this.#dispatch()
  }

  /** Removes the worker from the set first, so that no job is assigned to a worker that is about to end. */
  #retire(worker: ImageWorker): void {
    this.#workers.delete(worker)
    worker.process.kill('SIGKILL')
  }

  /** Fails the job at once, so that no later message of the worker counts. */
  #kill(worker: ImageWorker): void {
    worker.process.kill('SIGKILL')
    this.#handleLoss(worker)
  }

  #handleLoss(worker: ImageWorker): void {
    this.#workers.delete(worker)
    if (worker.job && !this.#isClosed) this.#lostWorkers++
    this.#finish(worker, (job) => job.reject(new ImageWorkerLost('The image worker ended while it worked on a file')))
    clearTimer(worker)
    this.#dispatch()
  }

  #promote(job: Job): void {
    this.#lastForegroundAt = performance.now()
    const { background } = this.#queues
    const position = background.indexOf(job)
    job.queue = foregroundQueues[job.task.kind]
    if (position === -1) return
    background.splice(position, 1)
    this.#queues[job.queue].push(job)
    this.#dispatch()
  }

  #hasForegroundJob(): boolean {
    const isWaiting = this.#rotation.some((name) => this.#queues[name].length > 0)
    const isRunning = [...this.#workers].some(({ job }) => job !== null && job.queue !== 'background')
    return isWaiting || isRunning
  }
}

const forkWorker = (): ChildProcess =>
  fork(new URL('./image-worker.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1', '--expose-gc'],
    env: childEnvironment({
      // With one memory arena and separately mapped large blocks, the memory of freed pixels returns to the system.
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '131072',
      UV_THREADPOOL_SIZE: '2',
      // Hides the system fonts, so that text looks the same everywhere.
      FONTCONFIG_FILE: fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url)),
    }),
  })

/** At normal priority, what receives files is in one queue, what views need is in the other. */
const foregroundQueues: Record<ImageTask['kind'], ForegroundQueue> = {
  receive: 'thumbnail',
  'inspect-video': 'thumbnail',
  thumbnail: 'thumbnail',
  still: 'thumbnail',
  rendition: 'rendition',
  measure: 'rendition',
  'measure-cover': 'rendition',
  location: 'rendition',
  camera: 'rendition',
  'read-sidecar': 'thumbnail',
  'merge-sidecar': 'rendition',
}

function clearTimer(worker: ImageWorker): void {
  if (worker.timer) clearTimeout(worker.timer)
  worker.timer = null
}
