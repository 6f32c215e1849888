import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { type LiveState, type LiveUpdate, liveState, onLiveState, subscribeToEvent } from './live-connection.ts'

export function useLive(eventId: number, onUpdate: (update: LiveUpdate) => void): void {
  const handleUpdate = useEffectEvent(onUpdate)
  useEffect(() => subscribeToEvent(eventId, (update) => handleUpdate(update)), [eventId])
}

/** Returns `connecting` if no component uses `useLive` for this event. */
export const useLiveState = (eventId: number): LiveState => useSyncExternalStore(onLiveState, () => liveState(eventId))

const highlightMs = 4_000

/** An added id stays in `recentIds` for 4 seconds. Adding the id again does not extend this time. */
export function useRecentIds(): { recentIds: ReadonlySet<number>; addRecentIds: (ids: number[]) => void } {
  const [recentIds, setRecentIds] = useState<ReadonlySet<number>>(new Set())
  const addRecentIds = (ids: number[]) => {
    setRecentIds((before) => new Set([...before, ...ids]))
    setTimeout(() => setRecentIds((before) => new Set([...before].filter((id) => !ids.includes(id)))), highlightMs)
  }
  return { recentIds, addRecentIds }
}

const minPauseMs = 700
const minDelayMs = 120

/** Throttles `action`: runs never overlap. The pause after a run is four times its duration, at least 700 ms. */
export function throttle(action: () => Promise<unknown>): () => void {
  let isScheduled = false
  let isBusy = false
  let pauseUntil = 0
  const run = async () => {
    isScheduled = false
    const startedAt = performance.now()
    try {
      await action()
    } finally {
      const durationMs = performance.now() - startedAt
      pauseUntil = performance.now() + Math.max(minPauseMs, 4 * durationMs)
      isBusy = false
      if (isScheduled) schedule()
    }
  }
  const schedule = () => {
    isBusy = true
    setTimeout(() => void run(), Math.max(minDelayMs, pauseUntil - performance.now()))
  }
  return () => {
    isScheduled = true
    if (!isBusy) schedule()
  }
}
