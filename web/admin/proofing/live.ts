import type { LiveFeedback, LiveSelection } from '../../../contract/live.ts'
import { must } from '../api/api.ts'
import { ApiError, Unreachable } from '../api/api-error.ts'
import { sessionFetch } from '../api/session-fetch.ts'
import { readEventLines, type SentEvent } from './event-lines.ts'

/** `isNamed`: a guest changed their name. `isReset`: events were missed, so all data must be loaded again. */
export type LiveNews = { feedback: LiveFeedback[]; selections: LiveSelection[]; isNamed: boolean; isReset: boolean }
export type LiveState = 'connecting' | 'on' | 'away'

type Watch = {
  listeners: Set<(news: LiveNews) => void>
  state: LiveState
  end: AbortController
}

const watches = new Map<number, Watch>()
const stateListeners = new Set<() => void>()
const waitMs = [1_000, 3_000, 10_000]
/** Two missed heartbeats. */
const silentMs = 50_000

/** Calls `listener` with the live events of a gallery. All listeners of a page share one connection. */
export function watchEvent(eventId: number, listener: (news: LiveNews) => void): () => void {
  const watch = watches.get(eventId) ?? begin(eventId)
  watch.listeners.add(listener)
  return () => {
    watch.listeners.delete(listener)
    if (watch.listeners.size > 0) return
    watch.end.abort()
    watches.delete(eventId)
  }
}

export const liveState = (eventId: number): LiveState => watches.get(eventId)?.state ?? 'connecting'

export function onLiveState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => stateListeners.delete(listener)
}

function begin(eventId: number): Watch {
  const watch: Watch = { listeners: new Set(), state: 'connecting', end: new AbortController() }
  watches.set(eventId, watch)
  void keepConnected(eventId, watch)
  return watch
}

async function keepConnected(eventId: number, watch: Watch): Promise<void> {
  const { signal } = watch.end
  let lastId: string | null = null
  for (let failures = 0; !signal.aborted; failures++) {
    // Browsers limit connections per host, so a hidden page closes its connection.
    await untilVisible(signal)
    const wasAway = watch.state === 'away'
    try {
      for await (const events of eventsOf(eventId, lastId, signal)) {
        show(watch, 'on')
        failures = 0
        // The connection was lost before the first event id, so missed events cannot be requested.
        if (wasAway && lastId === null) notify(watch, { ...newsIn([]), isReset: true })
        lastId = events.findLast(({ id }) => id !== null)?.id ?? lastId
        notify(watch, newsIn(events))
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return show(watch, 'away')
      const isFault = !(error instanceof ApiError || error instanceof Unreachable || error instanceof TypeError)
      if (isFault && !(error instanceof DOMException)) throw error
    }
    show(watch, 'away')
    await pause(waitMs[Math.min(failures, waitMs.length - 1)] ?? 0, signal)
  }
}

/** Yields an empty list as soon as the stream is open. */
async function* eventsOf(eventId: number, lastId: string | null, ended: AbortSignal): AsyncGenerator<SentEvent[]> {
  const cut = new AbortController()
  const signal = AbortSignal.any([ended, cut.signal])
  const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) }
  const response = await sessionFetch(new Request(`/api/admin/events/${eventId}/live`, { headers, signal }))
  if (!response.ok) await must(Promise.resolve({ error: await response.json().catch(() => null), response }))
  const hide = () => document.hidden && cut.abort()
  document.addEventListener('visibilitychange', hide)
  let silence = setTimeout(() => cut.abort(), silentMs)
  try {
    const read = readEventLines()
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    yield []
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done || value === undefined) return
      clearTimeout(silence)
      silence = setTimeout(() => cut.abort(), silentMs)
      const events = read(value)
      if (events.length > 0) yield events
    }
  } finally {
    clearTimeout(silence)
    document.removeEventListener('visibilitychange', hide)
    cut.abort()
  }
}

const newsIn = (events: SentEvent[]): LiveNews => ({
  feedback: events.filter(({ type }) => type === 'feedback').map(({ data }) => JSON.parse(data)),
  selections: events.filter(({ type }) => type === 'selection').map(({ data }) => JSON.parse(data)),
  isNamed: events.some(({ type }) => type === 'guest'),
  isReset: events.some(({ type }) => type === 'reset'),
})

function notify(watch: Watch, news: LiveNews): void {
  const { feedback, selections, isNamed, isReset } = news
  if (feedback.length + selections.length === 0 && !isNamed && !isReset) return
  for (const listener of watch.listeners) listener(news)
}

function show(watch: Watch, state: LiveState): void {
  if (watch.state === state) return
  watch.state = state
  for (const listener of stateListeners) listener()
}

const untilVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve()
    const look = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
  })

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
