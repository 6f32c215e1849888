import { presentEvents } from '../../events/event-rows.ts'
import type { Database } from '../../platform/database/tables.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'

/** If more photos or events change, all open events are checked. */
const maxChangedPhotos = 500

export type RequestedRenditions = { key: string; eventId: number; widthPx: number | null }

export type WarmingQueue = ReturnType<typeof createWarmingQueue>

/**
 * Starts with all open events: those that are not archived and not expired. Later it contains events that changed,
 * whose photos changed or whose guests requested the widest rendition, and after a change of the settings all open
 * events.
 */
export function createWarmingQueue({ db, changes, clock }: AppContext) {
  const requests = new Set<string>()
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
  changes.on('widest-rendition', addTo(events))
  changes.on('photo', addTo(photos))
  changes.on('settings', () => addTo(events)(null))
  changes.on('requested-renditions', (key) => {
    // A request that waits is not announced again: it may have failed, and then waits for its next attempt.
    if (key === null || requests.has(String(key))) return
    requests.add(String(key))
    notifyWork(true)
  })

  async function collectEvents(): Promise<void> {
    if (isFullScan) {
      isFullScan = false
      photos.clear()
      for (const { id } of await listOpenEvents(db, clock.now())) events.add(id)
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
    /** `isRequested`: a download waits for the work. */
    onWork(listener: (isRequested: boolean) => void) {
      notifyWork = listener
    },
    hasWork: (): boolean => isFullScan || requests.size + events.size + photos.size > 0,
    hasRequested: (): boolean => requests.size > 0,
    /** Removes and returns a request of `requestRenditionsSoon`. */
    takeRequested(): RequestedRenditions | null {
      const [key] = requests
      if (key === undefined) return null
      requests.delete(key)
      const [eventId = 0, widthPx = null] = key.split('@').map(Number)
      return { key, eventId, widthPx }
    },
    putBackRequested: ({ key }: RequestedRenditions) => void requests.add(key),
    /** Removes and returns one of the other events; null if there is none. */
    async next(): Promise<number | null> {
      if (events.size === 0) await collectEvents()
      const [eventId = null] = events
      if (eventId !== null) events.delete(eventId)
      return eventId
    },
    putBack: (eventId: number) => void events.add(eventId),
  }
}

/** On SQLite, a transaction runs on the writer thread, so this query does not start the reader thread. */
const listOpenEvents = (db: Database, now: number) =>
  inSnapshot(db, (tx) =>
    tx
      .selectFrom(presentEvents(tx))
      .select('id')
      .where('is_archived', '=', 0)
      .where('expires_at', '>', now)
      .orderBy('id', 'desc')
      .execute(),
  )
