import { type ChildProcess, fork } from 'node:child_process'
import { fontConfigFile } from './font-files.ts'
import type { ImageTask, ImageTaskResult } from './image-tasks.ts'

export class ImageWorkerLost extends Error {}

/** The service has ended this background job. The file is not at fault. */
export class BackgroundEnded extends Error {}

type WantedLine = 'thumbnail' | 'rendition'
type Line = WantedLine | 'background'

type Job = {
  task: ImageTask
  line: Line
  bytes: number
  resolve: (result: ImageTaskResult) => void
  reject: (error: Error) => void
}
type ImageWorker = { process: ChildProcess; job: Job | null; timer: NodeJS.Timeout | null }

/** A background job runs when no other job waits. Aborting the signal moves the job to the queue of its kind. */
export type Background = { wanted: AbortSignal }

export type ImageWorkers = {
  /** `bytes`: the most that decoding takes; jobs wait until the budget has room. Rejects with ImageWorkerLost. */
  run: <Task extends ImageTask>(task: Task, bytes: number, background?: Background) => Promise<ImageTaskResult<Task>>
  /**
   * When a foreground job was last requested or ended, on the clock of `performance.now()`; now while one waits or
   * runs.
   */
  lastWantedAt: () => number
  /** Ends all background jobs, running or waiting; each rejects with BackgroundCanceled. */
  endBackground: () => void
  losses: () => number
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
 * Thumbnails and renditions have separate queues that alternate, so that uploads do not delay viewers, nor the reverse.
 * While a background job runs, one extra worker may start for a foreground job.
 */
export function createImageWorkers(limits: ImageWorkerLimits = defaultLimits): ImageWorkers {
  const workers = new Set<ImageWorker>()
  const lines: Record<Line, Job[]> = { thumbnail: [], rendition: [], background: [] }
  let lastServed: WantedLine = 'rendition'
  let lastWantedAt = Number.NEGATIVE_INFINITY
  let bytesInFlight = 0
  let losses = 0
  let isClosed = false

  function dispatch(): void {
    const line = nextLine()
    const next = line[0]
    if (!next) return
    const hasRoom = bytesInFlight === 0 || bytesInFlight + next.bytes <= limits.budgetBytes
    if (!hasRoom) return
    const worker = workerFor(next)
    if (!worker) return
    line.shift()
    if (next.line !== 'background') lastServed = next.line
    assign(worker, next)
    dispatch()
  }

  function nextLine(): Job[] {
    const other = lastServed === 'thumbnail' ? 'rendition' : 'thumbnail'
    return [lines[other], lines[lastServed]].find((line) => line.length > 0) ?? lines.background
  }

  function workerFor({ line }: Job): ImageWorker | undefined {
    const all = [...workers]
    const busy = all.filter(({ job }) => job !== null)
    const isHeldUp = line !== 'background' && busy.some(({ job }) => job?.line === 'background')
    if (busy.length >= limits.count + (isHeldUp ? 1 : 0)) return undefined
    return all.find(({ job }) => job === null) ?? start()
  }

  function start(): ImageWorker {
    const child = fork(new URL('./image-worker.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1', '--expose-gc'],
      // One arena, so that freed pixels return to the system.
      env: {
        ...process.env,
        MALLOC_ARENA_MAX: '1',
        MALLOC_MMAP_THRESHOLD_: '131072',
        UV_THREADPOOL_SIZE: '2',
        FONTCONFIG_FILE: fontConfigFile,
      },
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
    if (job.line !== 'background') lastWantedAt = performance.now()
    settle(job)
    const idleSeconds = job.line === 'background' ? limits.idleSeconds / 4 : limits.idleSeconds
    worker.timer = setTimeout(() => retire(worker), idleSeconds * 1000)
    worker.timer.unref()
    dispatch()
  }

  /** Removed from the set first, so that no job is assigned to a worker that is about to end. */
  function retire(worker: ImageWorker): void {
    workers.delete(worker)
    worker.process.kill('SIGKILL')
  }

  function lose(worker: ImageWorker): void {
    workers.delete(worker)
    if (worker.job && !isClosed) losses++
    finish(worker, (job) => job.reject(new ImageWorkerLost('The image worker ended while it worked on a file')))
    clearTimer(worker)
    dispatch()
  }

  /** Moves a background job to the queue of its kind. */
  function want(job: Job): void {
    lastWantedAt = performance.now()
    const place = lines.background.indexOf(job)
    job.line = wantedLineOf(job.task)
    if (place === -1) return
    lines.background.splice(place, 1)
    lines[job.line].push(job)
    dispatch()
  }

  const isAnyWanted = (): boolean =>
    lines.thumbnail.length + lines.rendition.length > 0 ||
    [...workers].some(({ job }) => job !== null && job.line !== 'background')

  return {
    run: (task, bytes, background) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new ImageWorkerLost('The image workers are closed'))
        const isWanted = !background || background.wanted.aborted
        const line = isWanted ? wantedLineOf(task) : 'background'
        const settle = resolve as Job['resolve']
        const job: Job = { task, line, bytes: Math.min(bytes, limits.budgetBytes), resolve: settle, reject }
        if (isWanted) lastWantedAt = performance.now()
        else background.wanted.addEventListener('abort', () => want(job), { once: true })
        lines[line].push(job)
        dispatch()
      }),
    lastWantedAt: () => (isAnyWanted() ? performance.now() : lastWantedAt),
    endBackground: () => {
      for (const job of lines.background.splice(0)) job.reject(new BackgroundEnded())
      for (const worker of [...workers].filter(({ job }) => job?.line === 'background')) {
        workers.delete(worker)
        worker.process.kill('SIGKILL')
        finish(worker, (job) => job.reject(new BackgroundEnded()))
        clearTimer(worker)
      }
    },
    losses: () => losses,
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

const wantedLineOf = ({ kind }: ImageTask): WantedLine => (kind === 'thumbnail' ? 'thumbnail' : 'rendition')

function clearTimer(worker: ImageWorker): void {
  if (worker.timer) clearTimeout(worker.timer)
  worker.timer = null
}
