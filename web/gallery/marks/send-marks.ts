import { type Answer, type Outcome, outcomeOf } from './mark-answers.ts'
import type { MarkStore } from './mark-store.ts'
import { inOrder, keyOf, photoKeyOf, type WaitingMark } from './waiting-mark.ts'

type Sending = {
  store: MarkStore
  /** Null where no answer came. */
  post: (mark: WaitingMark) => Promise<Answer | null>
  /** Which to send; all others wait. */
  wants?: (mark: WaitingMark) => boolean
  /** Whether one that is refused for good may go: somebody must be there who is told. */
  mayDrop: (mark: WaitingMark) => boolean
  hear: (mark: WaitingMark, outcome: Outcome) => void
  now?: () => number
}

/** `waitMs`: as the service asks; 0 where it does not. */
export type HeldUp = { waitMs: number }

/** After so many that our service stumbled over it is not the marks' fault. */
const maxStumbles = 3

/** Nobody came back for them. */
const keptMs = 90 * 24 * 60 * 60_000

/**
 * Sends what waits, one after another, also what is given meanwhile; what cannot be sent stays. To be called by one at a
 * time, see `alone`. A mark goes from the store only when the service has answered for this very wish, so that it is sent
 * again however the sending ends. Null when nothing is left that could be sent now.
 */
export async function sendMarks(sending: Sending): Promise<HeldUp | null> {
  const { store, post, mayDrop, hear, wants = () => true, now = Date.now } = sending
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
      // Meanwhile another may have taken its place, or its photo be one to pass over.
      if (!isNext(mark) || (await store.find(keyOf(mark)))?.id !== mark.id) continue
      seen.add(mark.id)
      if (now() - mark.at > keptMs) {
        await store.remove(mark)
        continue
      }
      const outcome = outcomeOf(await post(mark), now())
      const isDone = outcome.is === 'taken' || (outcome.is === 'refused' && mayDrop(mark))
      if (isDone) await store.remove(mark)
      if (outcome.is !== 'refused' || isDone) hear(mark, outcome)
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

/**
 * Does this while no other page and no worker does, after whoever does now. Where browsers have no locks (pages that do
 * not come over https) that holds for this page alone.
 */
export function alone<T>(task: () => Promise<T>): Promise<T> {
  if (globalThis.navigator?.locks) return navigator.locks.request(turnName, task) as Promise<T>
  const done = turn.then(task)
  turn = done.catch(() => undefined)
  return done
}
