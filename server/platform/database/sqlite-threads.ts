import { Worker } from 'node:worker_threads'

const idleThreads: Worker[] = []
let maxIdleThreads = 0

/**
 * Keeps up to this many threads for reuse. The service needs none; tests that open hundreds of databases save the time
 * to start threads.
 */
export function setMaxIdleThreads(max: number): void {
  maxIdleThreads = max
}

export function acquireThread(): Worker {
  const thread = idleThreads.pop() ?? startThread()
  thread.ref()
  return thread
}

/** Ends a thread whose connection is closed, or keeps it for reuse. A kept thread does not keep the process alive. */
export async function releaseThread(thread: Worker): Promise<void> {
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
