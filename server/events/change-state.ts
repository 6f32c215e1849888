import type { WebhookEventType } from '../../contract/webhooks.ts'
import type { Tx } from '../platform/database/tables.ts'
import { Refusal } from '../platform/refusal.ts'
import type { House } from '../settings/house.ts'
import { announceEvent } from './event-announcements.ts'
import { type EventRow, findEvent } from './event-rows.ts'
import { expiryAfter, isExpired, judgeNotArchived } from './event-rules.ts'

type StateChange = {
  /** Judges the state that the transaction finds; throws the refusals of decisions §2. */
  judge: (row: EventRow) => void
  columns: (
    row: EventRow,
  ) => Partial<Pick<EventRow, 'is_draft' | 'is_archived' | 'archived_at' | 'expires_at' | 'expired_at'>>
  announces: Extract<WebhookEventType, `event.${string}`>
}

/** draft → live. Throws ALREADY_PUBLISHED, EVENT_ARCHIVED. */
export const publishEvent = (house: House, eventId: number): Promise<EventRow> =>
  changeState(house, eventId, {
    judge(row) {
      judgeNotArchived(row)
      if (row.is_draft === 0) throw new Refusal('ALREADY_PUBLISHED')
    },
    columns: () => ({ is_draft: 0 }),
    announces: 'event.published',
  })

/** live or expired → archived. Throws INVALID_STATE for a draft, EVENT_ARCHIVED. */
export const archiveEvent = (house: House, eventId: number): Promise<EventRow> =>
  changeState(house, eventId, {
    judge(row) {
      judgeNotArchived(row)
      if (row.is_draft === 1) throw invalidState('A draft cannot be archived: publish or delete it.')
    },
    columns: () => ({ is_archived: 1, archived_at: house.clock.now() }),
    announces: 'event.archived',
  })

/** archived → live; `expires_at` is kept when it lies in the future, else it is now and the default days. */
export async function restoreEvent(house: House, eventId: number): Promise<EventRow> {
  const { general_default_expiration_days: days } = await house.settings.values()
  const now = house.clock.now()
  return changeState(house, eventId, {
    judge(row) {
      if (row.is_archived === 0) throw invalidState('The event is not archived.')
    },
    columns: (row) => ({
      is_archived: 0,
      archived_at: null,
      ...(isExpired(row, now) && { expires_at: expiryAfter(now, days), expired_at: null }),
    }),
    announces: 'event.restored',
  })
}

async function changeState(house: House, eventId: number, change: StateChange): Promise<EventRow> {
  const { db, clock, settings, changes } = house
  const origin = await settings.linkOrigin()
  const changed = await db.transaction().execute(async (tx) => {
    const row = await getInTransaction(tx, eventId)
    change.judge(row)
    const now = clock.now()
    const changed = await tx
      .updateTable('events')
      .set({ ...change.columns(row), updated_at: now })
      .where('id', '=', eventId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await announceEvent(tx, change.announces, changed, origin, now)
    return changed
  })
  changes.tell('event', eventId)
  return changed
}

/** As the transaction finds it. Throws NOT_FOUND. */
export async function getInTransaction(tx: Tx, eventId: number): Promise<EventRow> {
  const row = await findEvent(tx, eventId)
  if (!row) throw new Refusal('NOT_FOUND')
  return row
}

const invalidState = (text: string): Refusal => new Refusal('INVALID_STATE', { text })
