import type { Generated } from 'kysely'
import type { LiveOperation } from '../../contract/live.ts'
import type { Tx } from '../platform/database/tables.ts'

/**
 * What has just happened in an event, for operators who watch. Ids rise in the order of the commits, since SQLite has
 * one writer; kept for a day, see `pruneLiveEvents`.
 */
export type LiveEventTable = {
  id: Generated<number>
  event_id: number
  type: 'feedback' | 'photo' | 'guest' | 'selection'
  /** Null for what is of no one photo. */
  photo_id: number | null
  feedback_id: number | null
  guest_id: string | null
  /** JSON: what the type tells beside the columns. */
  data: string
  created_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    live_events: LiveEventTable
  }
}

export type LiveNote = {
  event_id: number
  type: LiveEventTable['type']
  photo_id?: number
  feedback_id?: number
  guest_id?: string
  data: { did: LiveOperation } & Record<string, unknown>
}

/**
 * Written in the transaction of what it tells of. After the commit the operation wakes those who watch:
 * `changes.tell('live', eventId)`.
 */
export async function noteLiveEvent(tx: Tx, { data, ...note }: LiveNote, now: number): Promise<void> {
  await tx
    .insertInto('live_events')
    .values({ photo_id: null, feedback_id: null, guest_id: null, ...note, data: JSON.stringify(data), created_at: now })
    .execute()
}

/** A guest has a name or an address, or another one. */
export const noteNamedGuest = (tx: Tx, guest: { eventId: number; guestId: string }, now: number): Promise<void> =>
  noteLiveEvent(tx, { event_id: guest.eventId, type: 'guest', guest_id: guest.guestId, data: { did: 'named' } }, now)
