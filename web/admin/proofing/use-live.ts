import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { type LiveNews, type LiveState, liveState, onLiveState, watchEvent } from './live.ts'

export function useLive(eventId: number, onNews: (news: LiveNews) => void): void {
  const handleUpdate = useEffectEvent(onNews)
  useEffect(() => watchEvent(eventId, (news) => handleUpdate(news)), [eventId])
}

/** Needs `useLive` on the same page. */
export function useLiveState(eventId: number): LiveState {
  return useSyncExternalStore(onLiveState, () => liveState(eventId))
}

const fewestMs = 700
const atOnceMs = 120

/** Throttles `action`: runs never overlap, and the pause after a run is at least four times its duration. */
export function inCalm(action: () => Promise<unknown>): () => void {
  let isAsked = false
  let isBusy = false
  let restUntil = 0
  const run = async () => {
    isAsked = false
    const begun = performance.now()
    try {
      await action()
    } finally {
      const took = performance.now() - begun
      restUntil = performance.now() + Math.max(fewestMs, 4 * took)
      isBusy = false
      if (isAsked) begin()
    }
  }
  const begin = () => {
    isBusy = true
    setTimeout(() => void run(), Math.max(atOnceMs, restUntil - performance.now()))
  }
  return () => {
    isAsked = true
    if (!isBusy) begin()
  }
}
