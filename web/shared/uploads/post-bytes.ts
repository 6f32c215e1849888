import { NoAnswer, Paused } from './persist.ts'

export type Posting = {
  cancelled: AbortSignal
  /** Aborted by a pause. It ends the request only while bytes are still being sent. */
  running: AbortSignal
  onProgress: (sentBytes: number) => void
}

/** A response of any status. `body` is its JSON, or null. */
export type PostAnswer = { status: number; body: unknown; retryAfterSeconds: number }

const silenceMs = 30_000
/** The service decodes large pictures before it responds. */
const answerMs = 180_000

/** Uses XMLHttpRequest for its upload progress. Throws NoResponse, Paused, and the reason of `cancelled`. */
export function postBytes(address: string, body: Blob, posting: Posting): Promise<PostAnswer> {
  const { cancelled, running, onProgress } = posting
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let isOut = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const resetTimeout = () => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), isOut ? answerMs : silenceMs)
    }
    const cancel = () => request.abort()
    const pause = () => isOut || request.abort()
    request.upload.onprogress = ({ loaded }) => {
      resetTimeout()
      onProgress(loaded)
    }
    request.upload.onload = () => {
      isOut = true
      resetTimeout()
    }
    request.onloadend = () => {
      clearTimeout(timer)
      cancelled.removeEventListener('abort', cancel)
      running.removeEventListener('abort', pause)
      if (cancelled.aborted) return reject(cancelled.reason)
      const { status, response } = request
      // A success without a complete body counts as no response.
      if (status >= 400 || (status >= 200 && response)) {
        const seconds = Number(request.getResponseHeader('retry-after') ?? 0)
        return resolve({ status, body: response, retryAfterSeconds: Number.isFinite(seconds) ? seconds : 0 })
      }
      return reject(running.aborted && !isOut ? new Paused() : new NoAnswer())
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
