import { createRandomId } from '../../shared/create-random-id.ts'
import { page } from '../state/page.ts'
import { getRetryDelayMs, type Outcome } from './mark-outcome.ts'
import { createBrowserStore, createMemoryStore, type MarkStore } from './mark-store.ts'
import {
  addWaiting,
  guestId,
  handleOutcome,
  isOwn,
  reloadStale,
  showRecentMarks,
  showRemoteMark,
  storeRecentMarks,
  waiting,
  waitReason,
} from './own-marks.ts'
import { type MarkMessage, markChannel, sendMarks, withMarksLock } from './send-marks.ts'
import { getMarkKey, type MarkBody, type WaitingMark } from './waiting-mark.ts'

let store: MarkStore = createBrowserStore()
let setAside: MarkStore | undefined
let isPersistent = true
let channel: BroadcastChannel | null = null
let storing: Promise<unknown> = Promise.resolve()

/** Resolves when the mark is stored. */
export async function queueMark(photoId: number, body: MarkBody, before: MarkBody): Promise<void> {
  if (guestId === undefined) return
  const { slug } = page
  const mark = addWaiting({ id: createRandomId(), slug, guestId, photoId, body, before, at: Date.now() })
  storing = storeMark(mark).then(() => void send('own'))
  await storing
}

async function storeMark(mark: WaitingMark): Promise<void> {
  await store.put(mark).catch(switchToMemoryStore)
  broadcast({ mark, outcome: null })
}

function switchToMemoryStore(): void {
  isPersistent = false
  store = createMemoryStore(waiting.peek().values())
  setAside = createMemoryStore()
}

/** Returns the store of the marks that are not sent, because the picks of their guest are locked. */
export const openSetAside = (): MarkStore => (setAside ??= createBrowserStore('set-aside'))

const broadcast = (message: MarkMessage): void => channel?.postMessage(message)

let isSending = false
let isSessionOver = false
let requested: 'own' | 'all' | null = null
let attempts = 0
let notBefore = 0
let timer: ReturnType<typeof setTimeout> | undefined

const slowMs = 4_000

/** `own`: marks of this guest in this gallery. `all`: also marks of other galleries and of previous guests. */
async function send(which: 'own' | 'all'): Promise<void> {
  if (requested !== 'all') requested = which
  if (isSending || Date.now() < notBefore) return
  isSending = true
  clearTimeout(timer)
  const slow = setTimeout(showWaiting, slowMs)
  let hasRenewedSession = false
  while (requested) {
    const isIncluded = requested === 'all' ? () => true : isOwn
    requested = null
    isSessionOver = false
    const sendOptions = { store, openSetAside, isIncluded, canDrop: isOwn, handleOutcome: handleAndBroadcastOutcome }
    const sendDelay = await withMarksLock(() => sendMarks(sendOptions)).catch(() => ({ waitMs: 0 }))
    if (sendDelay) {
      scheduleRetry(sendDelay.waitMs)
      break
    }
    attempts = 0
    waitReason.value = isSessionOver && hasRenewedSession ? 'session' : null
    if (isSessionOver && !hasRenewedSession) {
      hasRenewedSession = true
      await renewSession()
      requested = 'own'
    }
    await reloadStale()
  }
  clearTimeout(slow)
  isSending = false
}

/** A request for the page starts a new session, unless the gallery requires a password. */
async function renewSession(): Promise<void> {
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null)
  await answer?.body?.cancel().catch(() => undefined)
}

function handleAndBroadcastOutcome(mark: WaitingMark, outcome: Outcome): void {
  if (outcome.is === 'sessionOver' && isOwn(mark)) isSessionOver = true
  handleOutcome(mark, outcome)
  broadcast({ mark, outcome })
}

function showWaiting(): void {
  if (waiting.peek().size > 0) waitReason.value ??= 'connection'
}

function scheduleRetry(requestedMs: number): void {
  showWaiting()
  notBefore = Date.now() + requestedMs
  timer = setTimeout(() => send('all'), requestedMs + getRetryDelayMs(++attempts, Math.random()))
  if (isPersistent) registration?.sync?.register('marks').catch(() => undefined)
}

export async function startMarkQueue(): Promise<void> {
  if (guestId === undefined) return
  openChannel()
  await loadStoredMarks()
  showRecentMarks()
  void send('all')
  addEventListener('online', () => send('all'))
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) openChannel()
  })
  addEventListener('pagehide', () => {
    storeRecentMarks()
    channel?.close()
    channel = null
  })
  document.addEventListener('visibilitychange', async () => {
    if (document.visibilityState === 'hidden') {
      if (waiting.peek().size > 0 && isPersistent) registration?.active?.postMessage('send')
      return
    }
    await loadStoredMarks()
    void send('all')
  })
  addEventListener('beforeunload', (event) => {
    if (!isPersistent && waiting.peek().size > 0) event.preventDefault()
  })
  if (isPersistent) registerWorker()
}

/** The store is authoritative, because another window or the worker may have sent some marks. */
async function loadStoredMarks(): Promise<void> {
  await storing
  const marks = await store.all().catch(() => switchToMemoryStore())
  if (!marks) return
  const own = new Map(marks.filter(isOwn).map((mark) => [getMarkKey(mark), mark]))
  const before = waiting.peek()
  for (const [key, mark] of before) if (!own.has(key)) handleOutcome(mark, { is: 'taken' })
  for (const [key, mark] of own) if (before.get(key)?.id !== mark.id) showRemoteMark(mark)
}

function openChannel(): void {
  channel = new BroadcastChannel(markChannel)
  channel.onmessage = ({ data: { mark, outcome } }: MessageEvent<MarkMessage>) => {
    if (outcome) handleOutcome(mark, outcome)
    else if (isOwn(mark)) showRemoteMark(mark)
  }
}

/** The server serves the worker below /gallery/, so that its scope covers all galleries. */
const workerAddress = '/gallery/marks-worker.js'

/** `sync` starts the worker when there is a connection. Not every browser has it. */
let registration: (ServiceWorkerRegistration & { sync?: { register: (name: string) => Promise<void> } }) | null = null

function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !navigator.locks) return
  setTimeout(async () => {
    try {
      await navigator.serviceWorker.register(workerAddress, { scope: '/gallery/' })
      registration = await navigator.serviceWorker.ready
    } catch {
      // Without a worker, waiting marks are sent only while a gallery is open.
    }
  }, 3_000)
}
