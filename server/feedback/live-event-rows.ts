import type { Generated } from 'kysely'
import type { LiveOperation } from '../../contract/live.ts'
import type { Tx } from '../platform/database/tables.ts'

/** Recent events for the live streams. The ids of one event follow commit order, as its transactions are serialized. */
export type LiveEventTable = {
  id: Generated<number>
  event_id: number
  type: 'feedback' | 'photo' | 'guest' | 'selection'
  photo_id: number | null
  feedback_id: number | null
  guest_id: string | null
  data: string
  created_at: number
}

declare module '../platform/database/tables.ts' {
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
export async function recordLiveEvent(tx: Tx, { data, ...columns }: NewLiveEvent, now: number): Promise<void> {
  await tx
    .insertInto('live_events')
    .values({
      photo_id: null,
      feedback_id: null,
      guest_id: null,
      ...columns,
      data: JSON.stringify(data),
      created_at: now,
    })
    .execute()
}

export const recordNamedGuest = (tx: Tx, guest: { eventId: number; guestId: string }, now: number): Promise<void> =>
  recordLiveEvent(tx, { event_id: guest.eventId, type: 'guest', guest_id: guest.guestId, data: { did: 'named' } }, now)
