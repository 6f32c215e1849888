import { queries } from '../desk/queries.ts'

const everyMs = 10_000
const waiting = new Map<number, ReturnType<typeof setTimeout>>()

/** Has the pages show the photos of an event that have come: after a while, as there may be thousands, or now. */
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
