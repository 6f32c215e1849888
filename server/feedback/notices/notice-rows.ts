import type { Selectable } from 'kysely'
import { resolveMergedGuest } from '../../events/guests/guest-rows.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { deleteMailsOfKind } from '../../platform/mail/queue-mail.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { hours, minutes } from '../../platform/time/clock.ts'
import type { GuestBelongings } from '../../settings/belongings.ts'
import type { SubscriptionLink } from './notice-links.ts'

/** Whom mails tell of new requests and answers. */
export type ThreadNoticeTable = {
  event_id: number
  /** Empty for the operators of the event. */
  guest_id: string
  /** When the next mail is due; null if there is nothing new. */
  due_at: number | null
  /** The time of the first thing that no mail has told of. */
  since: number | null
  sent_at: number | null
  /** The address that a mail has asked to confirm. */
  asked_email: string | null
  /** The address that the guest has confirmed. */
  confirmed_email: string | null
  unsubscribed_at: number | null
  /** When the guest asked for a mail that all photos are there; null again after it. */
  photos_asked_at: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    thread_notices: ThreadNoticeTable
  }
}

export type ThreadNoticeRow = Selectable<ThreadNoticeTable>
type NoticeKey = Pick<ThreadNoticeRow, 'event_id' | 'guest_id'>

export const operators = ''

/** Several answers in a row are told in one mail. */
const delayMs = minutes(1)
const betweenMailsMs = hours(1)

/** The next mail goes out in a minute, or an hour after the last one. */
export async function requestNotice(tx: Tx, eventId: number, guestId: string, now: number): Promise<void> {
  const soon = now + delayMs
  await tx
    .insertInto('thread_notices')
    .values({ ...emptyRow, event_id: eventId, guest_id: guestId, due_at: soon, since: now })
    .onConflict((conflict) =>
      conflict
        .columns(['event_id', 'guest_id'])
        .doUpdateSet((row) => ({
          since: now,
          due_at: row
            .case()
            .when('thread_notices.sent_at', '>', soon - betweenMailsMs)
            .then(row('thread_notices.sent_at', '+', betweenMailsMs))
            .else(soon)
            .end(),
        }))
        .where('thread_notices.due_at', 'is', null)
        .where('thread_notices.unsubscribed_at', 'is', null),
    )
    .execute()
}

const emptyRow = {
  sent_at: null,
  asked_email: null,
  confirmed_email: null,
  unsubscribed_at: null,
  photos_asked_at: null,
}

export const listDueNotices = (db: Database, now: number, limit: number): Promise<ThreadNoticeRow[]> =>
  db.selectFrom('thread_notices').selectAll().where('due_at', '<=', now).orderBy('due_at').limit(limit).execute()

export const findNotice = (db: Database, { event_id, guest_id }: NoticeKey): Promise<ThreadNoticeRow | undefined> =>
  db
    .selectFrom('thread_notices')
    .selectAll()
    .where('event_id', '=', event_id)
    .where('guest_id', '=', guest_id)
    .executeTakeFirst()

/** Adds a row without a notice, so that links to unsubscribe work. */
export const ensureNotice = (tx: Tx, { event_id, guest_id }: NoticeKey) =>
  tx
    .insertInto('thread_notices')
    .values({ ...emptyRow, event_id, guest_id, due_at: null, since: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const changeNotice = (tx: Tx, key: NoticeKey, change: Partial<ThreadNoticeTable>) =>
  tx
    .updateTable('thread_notices')
    .set(change)
    .where('event_id', '=', key.event_id)
    .where('guest_id', '=', key.guest_id)
    .execute()

/** Returns the ids of the guests who asked for a mail that all photos are there, and ends that. */
export async function takePhotoNotices(tx: Tx, eventId: number): Promise<string[]> {
  const asked = await tx
    .updateTable('thread_notices')
    .set({ photos_asked_at: null })
    .where('event_id', '=', eventId)
    .where('photos_asked_at', 'is not', null)
    .returning('guest_id')
    .execute()
  return asked.map(({ guest_id }) => guest_id)
}

/**
 * Returns those of the addresses, in lower case, that a mail has asked in the event, for whichever guest. Guests who
 * change their address can cause such mails, which are found by their recipients.
 */
export const listAsked = async (db: Database, eventId: number, emails: readonly string[]): Promise<Set<string>> => {
  if (emails.length === 0) return new Set()
  const lower = emails.map((email) => email.toLowerCase())
  const rows = await db
    .selectFrom('thread_notices')
    .select('asked_email')
    .where('event_id', '=', eventId)
    .where('asked_email', 'in', lower)
    .union(
      db
        .selectFrom('mails')
        .select(({ fn }) => fn<string | null>('lower', ['recipient']).as('asked_email'))
        .where('event_id', '=', eventId)
        .where('kind', '=', 'first_look_asked')
        .where(({ fn }) => fn('lower', ['recipient']), 'in', lower),
    )
    .execute()
  return new Set(rows.flatMap(({ asked_email }) => asked_email ?? []))
}

/** Returns whether the address has unsubscribed in the event, for whichever guest. */
export async function isUnsubscribed(db: Database, eventId: number, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('thread_notices')
    .innerJoin('guests', 'guests.id', 'thread_notices.guest_id')
    .select('guests.id')
    .where('thread_notices.event_id', '=', eventId)
    .where('thread_notices.unsubscribed_at', 'is not', null)
    .where(({ fn }) => fn<string>('lower', ['guests.email']), '=', email.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** `isAgain`: a link to unsubscribe subscribes again. Returns false if the event or the guest is gone. */
export function applyNoticeLink(
  { db, clock }: PlatformContext,
  { act, eventId, guestId, email }: SubscriptionLink,
  isAgain: boolean,
): Promise<boolean> {
  return inTransaction(db, `event ${eventId}`, async (tx) => {
    const key = {
      event_id: eventId,
      guest_id: guestId === operators ? operators : await resolveMergedGuest(tx, eventId, guestId),
    }
    if (!(await findNotice(tx, key))) return false
    await changeNotice(tx, key, {
      ...(act === 'confirm' ? { confirmed_email: email ?? null } : {}),
      ...(act === 'unsubscribe' && !isAgain
        ? { unsubscribed_at: clock.now(), due_at: null, since: null }
        : { unsubscribed_at: null }),
    })
    return true
  })
}

const kindsOfNotices = ['thread_asked', 'thread_answered', 'first_look_asked', 'first_look_complete'] as const

export const noticesOfGuests: GuestBelongings = {
  tables: ['thread_notices'],

  /** The guest who stays keeps the own row. */
  async merge(tx, { eventId, from, into }) {
    const rows = tx.updateTable('thread_notices').set({ guest_id: into }).where('event_id', '=', eventId)
    if (!(await findNotice(tx, { event_id: eventId, guest_id: into })))
      await rows.where('guest_id', '=', from).execute()
    await tx.deleteFrom('thread_notices').where('event_id', '=', eventId).where('guest_id', '=', from).execute()
  },

  /** The mails can contain words of several guests, and went to addresses that guests have changed since: all are deleted. */
  async erase(tx, { eventId, guestIds }) {
    let mails = 0
    for (const kind of kindsOfNotices) mails += await deleteMailsOfKind(tx, eventId, kind)
    await tx.deleteFrom('thread_notices').where('event_id', '=', eventId).where('guest_id', 'in', guestIds).execute()
    return { counts: { mails } }
  },
}
