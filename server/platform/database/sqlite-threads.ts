import { Worker } from 'node:worker_threads'

/** Threads without a connection, ready to open one. */
const idleThreads: Worker[] = []
let maxIdleThreads = 0

/**
 * From now on as many threads without a connection are kept for the next one. A service opens its connections once and
 * keeps none; a process that opens hundreds of databases saves most of the time that this takes.
 */
export function keepIdleThreads(most: number): void {
  maxIdleThreads = most
}

/** A thread that runs `sqlite-thread.ts` and has no connection yet. */
export function takeThread(): Worker {
  const thread = idleThreads.pop() ?? startThread()
  thread.ref()
  return thread
}

/** Ends a thread whose connection is closed, or keeps it, which keeps no process running; the caller listens to it no more. */
export async function giveBackThread(thread: Worker): Promise<void> {
  if (idleThreads.length >= maxIdleThreads) {
    await thread.terminate()
    return
  }
  thread.unref()
  idleThreads.push(thread)
}

const startThread = (): Worker =>
  new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 256 },
  })
