import { getOutcome, type MarkResponse, type Outcome } from './mark-outcome.ts'
import type { MarkStore } from './mark-store.ts'
import { getMarkKey, getPhotoKey, sortByTime, type WaitingMark } from './waiting-mark.ts'

/** The name of the broadcast channel that all pages and the worker share. */
export const markChannel = 'proofroom-marks'

/** `outcome` is null for a mark that is stored but not sent yet. */
export type MarkMessage = { mark: WaitingMark; outcome: Outcome | null }

type SendOptions = {
  store: MarkStore
  /** Opens the store of the marks that are not sent, because the picks of their guest are locked. */
  openSetAside: () => MarkStore
  /** Returns null when no response arrived. */
  post?: (mark: WaitingMark) => Promise<MarkResponse | null>
  isIncluded?: (mark: WaitingMark) => boolean
  /** Whether a rejected mark can be removed. Its guest must be present to see the rejection. */
  canDrop: (mark: WaitingMark) => boolean
  handleOutcome: (mark: WaitingMark, outcome: Outcome) => void
  now?: () => number
}

/** Sending stops after this many marks that have to be sent again later. */
const maxServerErrors = 3

export const maxAgeMs = 90 * 24 * 60 * 60_000

/**
 * Call it inside `withMarksLock`. Returns the longest wait that the service requests (0 if it requests none), or null
 * when no mark has the outcome `later`.
 */
export async function sendMarks(sendOptions: SendOptions): Promise<{ waitMs: number } | null> {
  const { store, openSetAside, post = postMark, canDrop, handleOutcome } = sendOptions
  const { isIncluded = () => true, now = Date.now } = sendOptions
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
      // A newer mark may have replaced this one, or its photo or gallery may be skipped after an error.
      if (!canSend(mark) || (await store.find(getMarkKey(mark)))?.id !== mark.id) continue
      seen.add(mark.id)
      if (now() - mark.at > maxAgeMs) {
        await store.remove(mark)
        continue
      }
      const outcome = getOutcome(await post(mark), now())
      if (outcome.is === 'locked') {
        const setAside = openSetAside()
        for (const other of await store.all()) {
          if (other.slug !== mark.slug || other.guestId !== mark.guestId) continue
          await setAside.put(other)
          await store.remove(other)
          handleOutcome(other, outcome)
        }
        continue
      }
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

/** Returns null when no response arrives. The request continues if the page closes (`keepalive`). */
async function postMark({ id, slug, guestId, photoId, body }: WaitingMark): Promise<MarkResponse | null> {
  try {
    const response = await fetch(`/api/gallery/${slug}/photos/${photoId}/feedback`, {
      method: 'POST',
      credentials: 'same-origin',
      // This route never redirects, but a captive portal does.
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
