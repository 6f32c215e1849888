import { queries } from '../desk/queries.ts'

const everyMs = 10_000
const waiting = new Map<number, ReturnType<typeof setTimeout>>()

/** Refreshes the pages of an event. Throttled during uploads, because thousands of photos may arrive. */
export function showWhatCame(eventId: number, { isNow = false } = {}): void {
  if (isNow) {
    clearTimeout(waiting.get(eventId))
    waiting.delete(eventId)
    for (const queryKey of [['photos', eventId], ['event', eventId], ['events'], ['categories']]) {
      void queries.invalidateQueries({ queryKey })
    }
    return
  }
  if (waiting.has(eventId)) return
  waiting.set(
    eventId,
    setTimeout(() => {
      waiting.delete(eventId)
      for (const queryKey of [
        ['photos', eventId],
        ['event', eventId],
      ])
        void queries.invalidateQueries({ queryKey })
    }, everyMs),
  )
}
