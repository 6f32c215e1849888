import { getRouteUrl } from '../state/api.ts'
import { loadThreads } from './photo-threads.ts'

/** How often each photo is watched. */
const watched = new Map<number | null, number>()
const listeners = new Set<() => void>()
let source: EventSource | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Several changes follow each other closely. */
const delayMs = 150

/**
 * Reloads the threads of the photo when they change, and when the page becomes visible. Without the live stream, that is
 * the only time. Returns a function that ends it.
 */
export function watchThreads(photoId: number | null): () => void {
  const count = (step: 1 | -1) => {
    const times = (watched.get(photoId) ?? 0) + step
    if (times > 0) watched.set(photoId, times)
    else watched.delete(photoId)
    update()
  }
  count(1)
  return () => count(-1)
}

/** Calls the listener when any thread may have changed, for as long as the page is open. */
export function onThreadChange(listener: () => void): void {
  listeners.add(listener)
  update()
}

const isNeeded = () => watched.size + listeners.size > 0

function update(): void {
  if (!isNeeded() || source === null) connect()
}

/** All parts of the page share one stream. There is none while the page is hidden. */
function connect(): void {
  source?.close()
  source = null
  if (!isNeeded() || document.visibilityState === 'hidden') return
  source = new EventSource(getRouteUrl('/live'))
  source.addEventListener('thread', ({ data }) => reloadSoon(JSON.parse(data).photo_id))
  let wasLost = false
  source.onerror = () => {
    wasLost = true
  }
  source.onopen = () => wasLost && reloadSoon()
}

function reloadSoon(photoId?: number | null): void {
  if (photoId !== undefined && !watched.has(photoId) && listeners.size === 0) return
  clearTimeout(timer)
  timer = setTimeout(() => {
    for (const id of watched.keys()) loadThreads(id).catch(() => undefined)
    for (const listener of listeners) listener()
  }, delayMs)
}

function reconnect(): void {
  connect()
  if (source) reloadSoon()
}

document.addEventListener('visibilitychange', reconnect)
addEventListener('online', reconnect)
