import type { WebhookEventType } from '../../contract/webhooks.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { deleteUnsentMails } from '../platform/mail/queue-mail.ts'
import type { AppContext } from '../settings/app-context.ts'
import { updateAndAnnounce } from './event-announcements.ts'
import type { EventRow } from './event-rows.ts'
import { assertNotArchived, expiryAfter, initialExpiryWarning, isExpired } from './event-rules.ts'
import { getEventInTransaction } from './get-changeable-event.ts'
import { loadLetterhead, mailArchiveNotice, mailGalleryLink } from './mail/event-mail.ts'
import type { Letterhead } from './mail/write-letter.ts'

type StateChange = {
  /** Throws an AppError if the state does not allow the change. */
  check: (row: EventRow) => void
  columns: (row: EventRow) => Partial<Pick<EventRow, StateColumn>>
  announcedType: Extract<WebhookEventType, `event.${string}`>
  /** What the same transaction does beside the change. */
  also?: (tx: Tx, head: Letterhead, row: EventRow) => Promise<void>
}

type StateColumn = 'is_draft' | 'is_archived' | 'archived_at' | 'expires_at' | 'expired_at' | 'expiry_warned_for'

/** Throws NOT_FOUND, ALREADY_PUBLISHED for an event that is not a draft, or EVENT_ARCHIVED. */
export async function publishEvent(ctx: AppContext, eventId: number): Promise<EventRow> {
  const settings = await ctx.settings.values()
  const now = ctx.clock.now()
  return changeState(ctx, eventId, {
    check(row) {
      assertNotArchived(row)
      if (row.is_draft === 0) throw new AppError('ALREADY_PUBLISHED')
    },
    columns: (row) => ({ is_draft: 0, expiry_warned_for: initialExpiryWarning(row.expires_at, now, settings) }),
    announcedType: 'event.published',
    also: async (tx, head, row) => {
      // The customer gets no invitation to a gallery that has already expired.
      if (row.send_email === 1 && !isExpired(row, now)) await mailGalleryLink(ctx, tx, head, row, null)
    },
  })
}

/** Throws NOT_FOUND, INVALID_STATE for a draft, or EVENT_ARCHIVED. */
export const archiveEvent = (ctx: AppContext, eventId: number): Promise<EventRow> =>
  changeState(ctx, eventId, createArchiveChange(ctx))

/** After the commit the calling function must call `notifyStateChange`. */
export const archiveInTransaction = (ctx: AppContext, tx: Tx, head: Letterhead, eventId: number): Promise<EventRow> =>
  changeInTransaction(ctx, tx, head, eventId, createArchiveChange(ctx))

const createArchiveChange = (ctx: AppContext): StateChange => ({
  check(row) {
    assertNotArchived(row)
    if (row.is_draft === 1) throw invalidState('A draft cannot be archived. Publish or delete it.')
  },
  columns: () => ({ is_archived: 1, archived_at: ctx.clock.now() }),
  announcedType: 'event.archived',
  also: (tx, head, row) => mailArchiveNotice(ctx, tx, head, row),
})

/** The gallery expires now. Throws NOT_FOUND, EVENT_ARCHIVED, or INVALID_STATE for a draft or an expired event. */
export async function closeEvent(ctx: AppContext, eventId: number): Promise<EventRow> {
  const now = ctx.clock.now()
  return changeState(ctx, eventId, {
    check(row) {
      assertNotArchived(row)
      if (row.is_draft === 1) throw invalidState('A draft has no gallery to close.')
      if (isExpired(row, now)) throw invalidState('The gallery has already expired.')
    },
    columns: () => ({ expires_at: now, expired_at: null }),
    announcedType: 'event.updated',
  })
}

/**
 * If the expiry has passed, the event stays open for the default number of days from now. Throws NOT_FOUND, or
 * INVALID_STATE for an event that is not archived.
 */
export async function restoreEvent(ctx: AppContext, eventId: number): Promise<EventRow> {
  const { general_default_expiration_days: days } = await ctx.settings.values()
  const now = ctx.clock.now()
  return changeState(ctx, eventId, {
    check(row) {
      if (row.is_archived === 0) throw invalidState('The event is not archived.')
    },
    columns: (row) => ({
      is_archived: 0,
      archived_at: null,
      ...(isExpired(row, now) && { expires_at: expiryAfter(now, days), expired_at: null }),
    }),
    announcedType: 'event.restored',
    also: (tx, _head, row) => deleteUnsentMails(tx, row.id, 'archive_notice'),
  })
}

async function changeState(ctx: AppContext, eventId: number, change: StateChange): Promise<EventRow> {
  const head = await loadLetterhead(ctx)
  const changed = await inTransaction(ctx.db, `event ${eventId}`, (tx) =>
    changeInTransaction(ctx, tx, head, eventId, change),
  )
  notifyStateChange(ctx, eventId)
  return changed
}

async function changeInTransaction(
  { clock }: AppContext,
  tx: Tx,
  head: Letterhead,
  eventId: number,
  change: StateChange,
): Promise<EventRow> {
  const row = await getEventInTransaction(tx, eventId)
  change.check(row)
  const announcement = { type: change.announcedType, origin: head.origin, now: clock.now() }
  const changed = await updateAndAnnounce(tx, eventId, change.columns(row), announcement)
  await change.also?.(tx, head, changed)
  return changed
}

/** Must run after the commit. */
export function notifyStateChange({ changes }: AppContext, eventId: number): void {
  changes.notify('event', eventId)
  changes.notify('mail', eventId)
  changes.notify('delivery', eventId)
}

const invalidState = (text: string): AppError => new AppError('INVALID_STATE', { text })
