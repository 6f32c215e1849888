import type { CompiledQuery, Generated } from 'kysely'
import type { LiveOperation } from '../../../contract/live.ts'
import { compileOnce } from '../../platform/database/compile-once.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { days } from '../../platform/time/clock.ts'
import type { GuestBelongings } from '../../settings/belongings.ts'

/**
 * Recent changes for the live streams. The ids of one event follow commit order, because its transactions run one after
 * another.
 */
export type LiveEventTable = {
  id: Generated<number>
  event_id: number
  type: 'feedback' | 'photo' | 'guest' | 'selection' | 'thread' | 'decision'
  photo_id: number | null
  feedback_id: number | null
  guest_id: string | null
  data: string
  created_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    live_events: LiveEventTable
  }
}

export type NewLiveEvent = {
  event_id: number
  type: LiveEventTable['type']
  photo_id?: number
  feedback_id?: number
  guest_id?: string
  data: { did: LiveOperation } & Record<string, unknown>
}

/** After the commit, call `changes.notify('live', eventId)`. */
export const insertLiveEvent = (tx: Tx, { data, ...subject }: NewLiveEvent, now: number): CompiledQuery => {
  const { event_id, type, photo_id = null, feedback_id = null, guest_id = null } = subject
  const columns = { event_id, type, photo_id, feedback_id, guest_id, data: JSON.stringify(data), created_at: now }
  return compileOnce(tx, 'live event', columns, (values) => tx.insertInto('live_events').values(values))
}

/** Like `insertLiveEvent`. */
export async function recordLiveEvent(tx: Tx, event: NewLiveEvent, now: number): Promise<void> {
  await tx.executeQuery(insertLiveEvent(tx, event, now))
}

export const recordNamedGuest = (tx: Tx, guest: { eventId: number; guestId: string }, now: number): Promise<void> =>
  recordLiveEvent(tx, { event_id: guest.eventId, type: 'guest', guest_id: guest.guestId, data: { did: 'named' } }, now)

export const liveEventsOfGuests: GuestBelongings = {
  tables: ['live_events'],
  async erase(tx, { eventId, guestIds }) {
    await tx.deleteFrom('live_events').where('event_id', '=', eventId).where('guest_id', 'in', guestIds).execute()
    return { counts: {} }
  },
}

const retentionMs = days(1)
const maxEvents = 100_000

/** Keeps the newest row of the table even if it is old, because `findStreamStart` compares ids with it. */
export const pruneLiveEvents = ({ db, clock }: PlatformContext): Promise<void> =>
  inTransaction(db, 'work live', async (tx) => {
    const newest = await tx.selectFrom('live_events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    if (!newest) return
    await tx
      .deleteFrom('live_events')
      .where('id', '<', newest.id)
      .where((where) =>
        where.or([where('created_at', '<', clock.now() - retentionMs), where('id', '<=', newest.id - maxEvents)]),
      )
      .execute()
  })
