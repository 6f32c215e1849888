import { queries } from '../app/query-client.ts'

const refreshIntervalMs = 10_000
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/**
 * Refreshes an event and its photos after 10 seconds, once for all calls until then. With `isImmediate`, refreshes the
 * event, its photos, the event lists and the categories now.
 */
export function refreshEvent(eventId: number, { isImmediate = false } = {}): void {
  if (isImmediate) {
    clearTimeout(timers.get(eventId))
    timers.delete(eventId)
    for (const queryKey of [['photos', eventId], ['event', eventId], ['events'], ['categories']]) {
      void queries.invalidateQueries({ queryKey })
    }
    return
  }
  if (timers.has(eventId)) return
  timers.set(
    eventId,
    setTimeout(() => {
      timers.delete(eventId)
      for (const queryKey of [
        ['photos', eventId],
        ['event', eventId],
      ])
        void queries.invalidateQueries({ queryKey })
    }, refreshIntervalMs),
  )
}
