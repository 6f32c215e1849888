import { inSnapshot } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'

/** With more changed photos all events are checked. */
const maxChangedPhotos = 500

export type WarmingQueue = {
  /** `isRequested`: a download waits for the work. */
  onWork: (listener: (isRequested: boolean) => void) => void
  hasWork: () => boolean
  /** Removes and returns an event with requested full-size renditions. */
  takeRequested: () => number | null
  /** Removes and returns the next of the other events, newest first. */
  next: () => Promise<number | null>
  putBack: (eventId: number) => void
}

/** Starts with all open events, then adds those that change. */
export function createWarmingQueue({ db, changes, clock }: AppContext): WarmingQueue {
  const requestedEvents = new Set<number>()
  const events = new Set<number>()
  const photos = new Set<number>()
  let isFullScan = true
  let notifyWork: (isRequested: boolean) => void = () => {}

  const addTo = (set: Set<number>) => (key: string | number | null) => {
    if (typeof key === 'number' && set.size < maxChangedPhotos) set.add(key)
    else isFullScan = true
    notifyWork(false)
  }
  changes.on('event', addTo(events))
  changes.on('photo', addTo(photos))
  changes.on('settings', () => addTo(events)(null))
  changes.on('wished-renditions', (eventId) => {
    if (typeof eventId !== 'number') return
    requestedEvents.add(eventId)
    notifyWork(true)
  })

  async function collectEvents(): Promise<void> {
    if (isFullScan) {
      isFullScan = false
      photos.clear()
      const now = clock.now()
      // A transaction runs on the writer thread, so the idle reader thread need not start.
      const open = await inSnapshot(db, (tx) =>
        tx
          .selectFrom('events')
          .select('id')
          .where('is_archived', '=', 0)
          .where('expires_at', '>', now)
          .orderBy('id', 'desc')
          .execute(),
      )
      for (const { id } of open) events.add(id)
    }
    if (photos.size === 0) return
    const changed = [...photos]
    photos.clear()
    const rows = await inSnapshot(db, (tx) =>
      tx.selectFrom('photos').select('event_id').distinct().where('id', 'in', changed).execute(),
    )
    for (const { event_id } of rows) events.add(event_id)
  }

  return {
    onWork(listener) {
      notifyWork = listener
    },
    hasWork: () => isFullScan || requestedEvents.size + events.size + photos.size > 0,
    takeRequested() {
      const [eventId = null] = requestedEvents
      if (eventId !== null) requestedEvents.delete(eventId)
      return eventId
    },
    async next() {
      if (events.size === 0) await collectEvents()
      const [eventId = null] = events
      if (eventId !== null) events.delete(eventId)
      return eventId
    },
    putBack: (eventId) => void events.add(eventId),
  }
}
