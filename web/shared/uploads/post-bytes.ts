import { NoResponse, Paused } from './retry.ts'

export type PostOptions = {
  cancelled: AbortSignal
  /** Aborted by a pause. It ends the request only while bytes are still being sent. */
  running: AbortSignal
  onProgress: (sentBytes: number) => void
}

/** A response of any status. `body` is its JSON, or null. */
export type PostResponse = { status: number; body: unknown; retryAfterSeconds: number }

const stallTimeoutMs = 30_000
/** The time from the last sent byte to the response. */
const responseTimeoutMs = 180_000

/** Does not use `fetch`, which reports no upload progress. Throws NoResponse, Paused, or the reason of `cancelled`. */
export function postBytes(address: string, body: Blob, postOptions: PostOptions): Promise<PostResponse> {
  const { cancelled, running, onProgress } = postOptions
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let isSent = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const resetTimeout = () => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), isSent ? responseTimeoutMs : stallTimeoutMs)
    }
    const cancel = () => request.abort()
    const pause = () => isSent || request.abort()
    request.upload.onprogress = ({ loaded }) => {
      resetTimeout()
      onProgress(loaded)
    }
    request.upload.onload = () => {
      isSent = true
      resetTimeout()
    }
    request.onloadend = () => {
      clearTimeout(timer)
      cancelled.removeEventListener('abort', cancel)
      running.removeEventListener('abort', pause)
      if (cancelled.aborted) return reject(cancelled.reason)
      const { status, response } = request
      // A success without a complete JSON body counts as no response.
      if (status >= 400 || (status >= 200 && response)) {
        const seconds = Number(request.getResponseHeader('retry-after') ?? 0)
        return resolve({ status, body: response, retryAfterSeconds: Number.isFinite(seconds) ? seconds : 0 })
      }
      return reject(running.aborted && !isSent ? new Paused() : new NoResponse())
    }
    cancelled.addEventListener('abort', cancel)
    running.addEventListener('abort', pause)
    request.open('POST', address)
    request.responseType = 'json'
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.send(body)
    resetTimeout()
  })
}
