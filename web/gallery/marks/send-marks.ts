import { type Answer, type Outcome, outcomeOf } from './mark-answers.ts'
import type { MarkStore } from './mark-store.ts'
import { inOrder, keyOf, photoKeyOf, type WaitingMark } from './waiting-mark.ts'

type Sending = {
  store: MarkStore
  post: (mark: WaitingMark) => Promise<Answer | null>
  wants?: (mark: WaitingMark) => boolean
  /** Whether a rejected mark can be removed. Its guest must be present to see the rejection. */
  mayDrop: (mark: WaitingMark) => boolean
  handleOutcome: (mark: WaitingMark, outcome: Outcome) => void
  now?: () => number
}

/** `waitMs`: the wait that the service requests, or 0. */
export type HeldUp = { waitMs: number }

/** After this many server errors the service is the problem, not a single mark. */
const maxStumbles = 3

/** Older marks are dropped unsent. */
const keptMs = 90 * 24 * 60 * 60_000

/**
 * A mark leaves the store only when the service has responded to this version of it. Call it inside `withMarksLock`.
 * Returns null when nothing is left to send now.
 */
export async function sendMarks(sending: Sending): Promise<HeldUp | null> {
  const { store, post, mayDrop, handleOutcome, wants = () => true, now = Date.now } = sending
  const seen = new Set<string>()
  const passedOver = new Set<string>()
  const waits: number[] = []
  const heldUp = () => (waits.length > 0 ? { waitMs: Math.max(...waits) } : null)

  for (;;) {
    const isNext = (mark: WaitingMark) =>
      !seen.has(mark.id) && !passedOver.has(photoKeyOf(mark)) && !passedOver.has(mark.slug) && wants(mark)
    const round = inOrder(await store.all()).filter(isNext)
    if (round.length === 0) return heldUp()
    for (const mark of round) {
      // Another mark may have replaced it, or its photo may be skipped by now.
      if (!isNext(mark) || (await store.find(keyOf(mark)))?.id !== mark.id) continue
      seen.add(mark.id)
      if (now() - mark.at > keptMs) {
        await store.remove(mark)
        continue
      }
      const outcome = outcomeOf(await post(mark), now())
      const isDone = outcome.is === 'taken' || (outcome.is === 'refused' && mayDrop(mark))
      if (isDone) await store.remove(mark)
      if (outcome.is !== 'refused' || isDone) handleOutcome(mark, outcome)
      if (outcome.is === 'sessionOver') passedOver.add(mark.slug)
      if (outcome.is !== 'later') continue
      waits.push(outcome.waitMs)
      if (outcome.all || waits.length === maxStumbles) return heldUp()
      passedOver.add(photoKeyOf(mark))
    }
  }
}

const turnName = 'proofroom-marks'
let turn: Promise<unknown> = Promise.resolve()

/** Without the Web Locks API (pages without https) the lock covers only this page. */
export function alone<T>(task: () => Promise<T>): Promise<T> {
  if (globalThis.navigator?.locks) return navigator.locks.request(turnName, task) as Promise<T>
  const done = turn.then(task)
  turn = done.catch(() => undefined)
  return done
}
