let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/** Returns the `content_hash` of a file, or null if it is not readable. A worker hashes one file at a time. */
export function hashFile(file: File): Promise<string | null> {
  const next = last.then(() => postToWorker(file))
  last = next.catch(() => undefined)
  return next
}

function postToWorker(file: File): Promise<string | null> {
  worker ??= new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
  const currentWorker = worker
  return new Promise((resolve, reject) => {
    currentWorker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data)
    currentWorker.onerror = (event) => {
      worker = null
      reject(new Error(`The worker that reads files has failed: ${event.message}`))
    }
    currentWorker.postMessage(file)
  })
}
