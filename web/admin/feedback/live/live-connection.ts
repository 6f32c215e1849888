import type { LiveDecision, LiveFeedback, LiveSelection, LiveThread } from '../../../../contract/live.ts'
import { ApiError, Unreachable } from '../../../shared/api-error.ts'
import { unwrap } from '../../api/api.ts'
import { sessionFetch } from '../../api/session-fetch.ts'
import { createEventParser, type ServerSentEvent } from './server-sent-events.ts'

export type LiveUpdate = {
  feedback: LiveFeedback[]
  selections: LiveSelection[]
  threads: LiveThread[]
  decisions: LiveDecision[]
  /** The name or mail address of a guest has changed, or a guest has written or deleted a private note. */
  hasNewName: boolean
  /** Live events were missed, so the data must be loaded again. */
  needsReload: boolean
}
export type LiveState = 'connecting' | 'on' | 'away'

type LiveConnection = { listeners: Set<(update: LiveUpdate) => void>; state: LiveState; end: AbortController }

const connections = new Map<number, LiveConnection>()
const stateListeners = new Set<() => void>()
const retryDelaysMs = [1_000, 3_000]
const maxRetryDelayMs = 10_000
/** More than two heartbeats, which the server sends every 20 seconds. */
const silenceTimeoutMs = 50_000

/** Calls `listener` with the live updates of a gallery. All listeners of the same gallery share one connection. */
export function subscribeToEvent(eventId: number, listener: (update: LiveUpdate) => void): () => void {
  const connection = connections.get(eventId) ?? connect(eventId)
  connection.listeners.add(listener)
  return () => {
    connection.listeners.delete(listener)
    if (connection.listeners.size > 0) return
    connection.end.abort()
    connections.delete(eventId)
  }
}

export const liveState = (eventId: number): LiveState => connections.get(eventId)?.state ?? 'connecting'

export function onLiveState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => stateListeners.delete(listener)
}

function connect(eventId: number): LiveConnection {
  const connection: LiveConnection = { listeners: new Set(), state: 'connecting', end: new AbortController() }
  connections.set(eventId, connection)
  void keepConnected(eventId, connection)
  return connection
}

async function keepConnected(eventId: number, connection: LiveConnection): Promise<void> {
  const { signal } = connection.end
  let lastId: string | null = null
  for (let failures = 0; !signal.aborted; failures++) {
    // Browsers limit connections per host, so a hidden page closes its connection.
    await untilVisible(signal)
    const wasDisconnected = connection.state === 'away'
    try {
      for await (const events of streamEvents(eventId, lastId, signal)) {
        setConnectionState(connection, 'on')
        failures = 0
        // The connection failed before the first event id, so missed events cannot be requested.
        if (wasDisconnected && lastId === null) notify(connection, { ...toLiveUpdate([]), needsReload: true })
        lastId = events.findLast(({ id }) => id !== null)?.id ?? lastId
        notify(connection, toLiveUpdate(events))
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && [401, 403, 404].includes(error.status))
        return setConnectionState(connection, 'away')
      const isUnexpected = !(error instanceof ApiError || error instanceof Unreachable || error instanceof TypeError)
      if (isUnexpected && !(error instanceof DOMException)) throw error
    }
    setConnectionState(connection, 'away')
    await sleep(retryDelaysMs[failures] ?? maxRetryDelayMs, signal)
  }
}

/** Yields an empty list as soon as the stream is open, then the events. A hidden page or a long silence ends it. */
async function* streamEvents(
  eventId: number,
  lastId: string | null,
  ended: AbortSignal,
): AsyncGenerator<ServerSentEvent[]> {
  const streamAbort = new AbortController()
  const signal = AbortSignal.any([ended, streamAbort.signal])
  const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) }
  const response = await sessionFetch(new Request(`/api/admin/events/${eventId}/live`, { headers, signal }))
  if (!response.ok) await unwrap(Promise.resolve({ error: await response.json().catch(() => null), response }))
  const hide = () => document.hidden && streamAbort.abort()
  document.addEventListener('visibilitychange', hide)
  let silence = setTimeout(() => streamAbort.abort(), silenceTimeoutMs)
  try {
    const read = createEventParser()
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    yield []
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done || value === undefined) return
      clearTimeout(silence)
      silence = setTimeout(() => streamAbort.abort(), silenceTimeoutMs)
      const events = read(value)
      if (events.length > 0) yield events
    }
  } finally {
    clearTimeout(silence)
    document.removeEventListener('visibilitychange', hide)
    streamAbort.abort()
  }
}

const toLiveUpdate = (events: ServerSentEvent[]): LiveUpdate => ({
  feedback: events.filter(({ type }) => type === 'feedback').map(({ data }) => JSON.parse(data)),
  selections: events.filter(({ type }) => type === 'selection').map(({ data }) => JSON.parse(data)),
  threads: events.filter(({ type }) => type === 'thread').map(({ data }) => JSON.parse(data)),
  decisions: events.filter(({ type }) => type === 'decision').map(({ data }) => JSON.parse(data)),
  hasNewName: events.some(({ type }) => type === 'guest'),
  needsReload: events.some(({ type }) => type === 'reset'),
})

function notify(connection: LiveConnection, update: LiveUpdate): void {
  const { feedback, selections, threads, decisions, hasNewName, needsReload } = update
  if (feedback.length + selections.length + threads.length + decisions.length === 0 && !hasNewName && !needsReload)
    return
  for (const listener of connection.listeners) listener(update)
}

function setConnectionState(connection: LiveConnection, state: LiveState): void {
  if (connection.state === state) return
  connection.state = state
  for (const listener of stateListeners) listener()
}

/** Resolves when the page is visible, or earlier if the signal is aborted. */
const untilVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve()
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
