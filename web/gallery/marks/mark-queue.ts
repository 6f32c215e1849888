import { onceKey } from '../state/once-key.ts'
import { page } from '../state/page.ts'
import { type Outcome, waitAfter } from './mark-answers.ts'
import { type MarkMessage, markChannel } from './mark-channel.ts'
import { type MarkStore, storeOfBrowser, storeOfPage } from './mark-store.ts'
import { callWorker, callWorkerLater, readyWorker } from './mark-worker-calls.ts'
import { catchUp, guestId, handleOutcome, heldUpBy, isOwn, remember, showFromElsewhere, waiting } from './own-marks.ts'
import { postMark } from './post-mark.ts'
import { alone, sendMarks } from './send-marks.ts'
import { keyOf, type MarkBody, type WaitingMark } from './waiting-mark.ts'

export { waitingMarks } from './own-marks.ts'

let store: MarkStore = storeOfBrowser()
let isLasting = true
let channel: BroadcastChannel | null = null
let kept: Promise<unknown> = Promise.resolve()

export function queueMark(photoId: number, body: MarkBody, before: MarkBody): void {
  if (guestId === undefined) return
  const mark = remember({ id: onceKey(), slug: page.slug, guestId, photoId, body, before, at: Date.now() })
  kept = keep(mark).then(() => void send('own'))
}

async function keep(mark: WaitingMark): Promise<void> {
  await store.put(mark).catch(keepInPage)
  broadcast({ mark, outcome: null })
}

/** For browsers that cannot store anything. */
function keepInPage(): void {
  isLasting = false
  store = storeOfPage(waiting.peek().values())
}

const broadcast = (message: MarkMessage): void => channel?.postMessage(message)

let isSending = false
let isVisitOver = false
let wanted: 'own' | 'all' | null = null
let attempts = 0
let notBefore = 0
let timer: ReturnType<typeof setTimeout> | undefined

const slowMs = 4_000

/** `all` includes marks of other galleries and of previous guests. */
async function send(which: 'own' | 'all'): Promise<void> {
  if (wanted !== 'all') wanted = which
  if (isSending || Date.now() < notBefore) return
  isSending = true
  clearTimeout(timer)
  const slow = setTimeout(showThatTheyWait, slowMs)
  let hasVisitedAgain = false
  while (wanted) {
    const wants = wanted === 'all' ? () => true : isOwn
    wanted = null
    isVisitOver = false
    const sending = { store, post: postMark, wants, mayDrop: isOwn, handleOutcome: handleAndBroadcastOutcome }
    const heldUp = await alone(() => sendMarks(sending)).catch(() => ({ waitMs: 0 }))
    if (heldUp) {
      waitFor(heldUp.waitMs)
      break
    }
    attempts = 0
    heldUpBy.value = isVisitOver && hasVisitedAgain ? 'session' : null
    if (isVisitOver && !hasVisitedAgain) {
      hasVisitedAgain = true
      await visitAgain()
      wanted = 'own'
    }
    await catchUp()
  }
  clearTimeout(slow)
  isSending = false
}

/** A session lasts a day. Requesting the page starts a new one if no password is needed. */
async function visitAgain(): Promise<void> {
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null)
  await answer?.body?.cancel().catch(() => undefined)
}

function handleAndBroadcastOutcome(mark: WaitingMark, outcome: Outcome): void {
  if (outcome.is === 'sessionOver' && isOwn(mark)) isVisitOver = true
  handleOutcome(mark, outcome)
  if (outcome.is === 'taken' || outcome.is === 'refused') broadcast({ mark, outcome })
}

function showThatTheyWait(): void {
  if (waiting.peek().size > 0) heldUpBy.value ??= 'connection'
}

function waitFor(askedMs: number): void {
  showThatTheyWait()
  notBefore = Date.now() + askedMs
  timer = setTimeout(() => send('all'), askedMs + waitAfter(++attempts, Math.random()))
  if (isLasting) callWorkerLater()
}

export async function startMarkQueue(): Promise<void> {
  if (guestId === undefined) return
  openChannel()
  await takeUp()
  void send('all')
  addEventListener('online', () => send('all'))
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) openChannel()
  })
  addEventListener('pagehide', () => {
    channel?.close()
    channel = null
  })
  document.addEventListener('visibilitychange', async () => {
    if (document.visibilityState === 'hidden') {
      if (waiting.peek().size > 0 && isLasting) callWorker()
      return
    }
    await takeUp()
    void send('all')
  })
  addEventListener('beforeunload', (event) => {
    if (!isLasting && waiting.peek().size > 0) event.preventDefault()
  })
  if (isLasting) readyWorker()
}

/** The store is authoritative, because another window or the worker may have sent some marks. */
async function takeUp(): Promise<void> {
  await kept
  const marks = await store.all().catch(() => keepInPage())
  if (!marks) return
  const own = new Map(marks.filter(isOwn).map((mark) => [keyOf(mark), mark]))
  const before = waiting.peek()
  waiting.value = new Map([...before].filter(([key]) => own.has(key)))
  for (const [key, mark] of own) if (before.get(key)?.id !== mark.id) showFromElsewhere(mark)
}

function openChannel(): void {
  channel = new BroadcastChannel(markChannel)
  channel.onmessage = ({ data: { mark, outcome } }: MessageEvent<MarkMessage>) => {
    if (outcome) handleOutcome(mark, outcome)
    else if (isOwn(mark)) showFromElsewhere(mark)
  }
}
