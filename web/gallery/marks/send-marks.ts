import { getOutcome, type MarkResponse, type Outcome } from './mark-outcome.ts'
import type { MarkStore } from './mark-store.ts'
import { getMarkKey, getPhotoKey, sortByTime, type WaitingMark } from './waiting-mark.ts'

/** The name of the broadcast channel of all pages and the worker. */
export const markChannel = 'proofroom-marks'

/** `outcome` is null for a mark that was given in another window. */
export type MarkMessage = { mark: WaitingMark; outcome: Outcome | null }

type SendOptions = {
  store: MarkStore
  /** Returns null when no response arrived. */
  post?: (mark: WaitingMark) => Promise<MarkResponse | null>
  isIncluded?: (mark: WaitingMark) => boolean
  /** Whether a rejected mark can be removed. Its guest must be present to see the rejection. */
  canDrop: (mark: WaitingMark) => boolean
  handleOutcome: (mark: WaitingMark, outcome: Outcome) => void
  now?: () => number
}

/** After this many server errors the service is the problem, not a single mark. */
const maxServerErrors = 3

const maxAgeMs = 90 * 24 * 60 * 60_000

/**
 * A mark leaves the store only when the service has responded to this version of it. Call it inside `withMarksLock`.
 * Returns the wait that the service requests (0 for none), or null when nothing is left to send now.
 */
export async function sendMarks(sendOptions: SendOptions): Promise<{ waitMs: number } | null> {
  const { store, post = postMark, canDrop, handleOutcome, isIncluded = () => true, now = Date.now } = sendOptions
  const seen = new Set<string>()
  const skipped = new Set<string>()
  const waits: number[] = []
  const sendDelay = () => (waits.length > 0 ? { waitMs: Math.max(...waits) } : null)

  for (;;) {
    const canSend = (mark: WaitingMark) =>
      !seen.has(mark.id) && !skipped.has(getPhotoKey(mark)) && !skipped.has(mark.slug) && isIncluded(mark)
    const batch = sortByTime(await store.all()).filter(canSend)
    if (batch.length === 0) return sendDelay()
    for (const mark of batch) {
      // Another mark may have replaced it, or its photo may be skipped by now.
      if (!canSend(mark) || (await store.find(getMarkKey(mark)))?.id !== mark.id) continue
      seen.add(mark.id)
      if (now() - mark.at > maxAgeMs) {
        await store.remove(mark)
        continue
      }
      const outcome = getOutcome(await post(mark), now())
      const isDone = outcome.is === 'taken' || (outcome.is === 'refused' && canDrop(mark))
      if (isDone) await store.remove(mark)
      if (outcome.is !== 'refused' || isDone) handleOutcome(mark, outcome)
      if (outcome.is === 'sessionOver') skipped.add(mark.slug)
      if (outcome.is !== 'later') continue
      waits.push(outcome.waitMs)
      if (outcome.all || waits.length === maxServerErrors) return sendDelay()
      skipped.add(getPhotoKey(mark))
    }
  }
}

const lockName = 'proofroom-marks'
let lastTask: Promise<unknown> = Promise.resolve()

/** Without the Web Locks API (pages without https) the lock covers only this page. */
export function withMarksLock<T>(task: () => Promise<T>): Promise<T> {
  if (globalThis.navigator?.locks) return navigator.locks.request(lockName, task) as Promise<T>
  const done = lastTask.then(task)
  lastTask = done.catch(() => undefined)
  return done
}

const requestTimeoutMs = 20_000

/** Sends one mark, even if the page closes during the request. */
async function postMark({ id, slug, guestId, photoId, body }: WaitingMark): Promise<MarkResponse | null> {
  try {
    const response = await fetch(`/api/gallery/${slug}/photos/${photoId}/feedback`, {
      method: 'POST',
      credentials: 'same-origin',
      // This service never redirects here; a captive portal does.
      redirect: 'error',
      keepalive: true,
      signal: AbortSignal.timeout(requestTimeoutMs),
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ ...body, guest_id: guestId }),
    })
    const responseBody = await response.json().catch(() => null)
    return { status: response.status, body: responseBody, retryAfter: response.headers.get('retry-after') }
  } catch {
    return null
  }
}
