import type { MailKind } from '../../../contract/instance/mail.ts'
import { findUser } from '../../access/account-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { type NewMail, queueMail } from '../../platform/mail/queue-mail.ts'
import { hours, seconds } from '../../platform/time/clock.ts'
import { createButtonColors } from '../../settings/accent-style.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { logoPath } from '../../settings/branding.ts'
import type { EventRow } from '../event-rows.ts'
import { isExpired } from '../event-rules.ts'
import {
  archiveNoticeLetter,
  expiryWarningLetter,
  galleryCreatedLetter,
  type RecipientRole,
  type SubmittedSelection,
  selectionLetter,
  type ToldThreads,
  threadsLetter,
} from './event-letters.ts'
import { type AskedReopening, type GuestRoundMail, guestRoundLetter, reopeningLetter } from './round-letters.ts'
import type { Letterhead } from './write-letter.ts'

/** Call it before the transaction that queues the mail: its reads are not part of that transaction. */
export async function loadLetterhead({ settings }: AppContext): Promise<Letterhead> {
  const values = await settings.values()
  const logo = await settings.logo()
  const origin = await settings.linkOrigin()
  const { branding_studio_name: studioName } = values
  return {
    language: values.general_default_language,
    studioName,
    origin,
    logo: logo && { url: origin + logoPath, name: studioName, width: logo.width, height: logo.height },
    colors: values.branding_accent === null ? null : createButtonColors(values.branding_accent),
  }
}

/** Mails the link to the customer if there is an address. Called when the event goes live, and on request. */
export async function mailGalleryLink(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  password: string | null,
): Promise<void> {
  if (!event.customer_email) return
  const credential = event.require_password === 1 ? password : null
  const letter = await galleryCreatedLetter(tx, head, event, credential !== null)
  const recipient = { to: event.customer_email, replyTo: event.admin_email }
  await queueEventMail(ctx, tx, head, event, { kind: 'gallery_created', ...recipient, letter, credential })
}

/** Mails the customer, and the operator of the event or else the active account that created it. */
export async function mailExpiryWarning(ctx: AppContext, tx: Tx, head: Letterhead, event: EventRow): Promise<void> {
  for (const { role, ...recipient } of listRecipients(event, await findOperatorAddress(tx, event))) {
    const letter = await expiryWarningLetter(tx, head, event, role)
    await queueEventMail(ctx, tx, head, event, { kind: 'expiry_warning', ...recipient, letter })
  }
}

/** Longer than the admin app offers to undo. */
const archiveNoticeDelayMs = seconds(30)

/** Mails the operator, and the customer only if the gallery was still open. The mails wait, because a restore deletes them. */
export async function mailArchiveNotice(ctx: AppContext, tx: Tx, head: Letterhead, event: EventRow): Promise<void> {
  const isClosing = !isExpired(event, ctx.clock.now())
  for (const { role, ...recipient } of listRecipients(
    isClosing ? event : { ...event, customer_email: null },
    event.admin_email,
  )) {
    const letter = await archiveNoticeLetter(tx, head, event, role)
    await queueEventMail(ctx, tx, head, event, {
      kind: 'archive_notice',
      ...recipient,
      letter,
      delayMs: archiveNoticeDelayMs,
    })
  }
}

/** For each event in an hour: a widely shared link must not flood the operator or delay other mails. */
const maxSelectionMails = 60

/**
 * Mails the operator of the event, or else the active account that created it. Replies go to the guest. Returns whether
 * the mail is going to be sent, which needs a mail server. Must run in the transaction that stores the selection, with
 * the lock of the event, so that selections at the same time do not exceed the limit of mails together.
 */
export async function mailSelection(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  { id: selectionId, ...selection }: SubmittedSelection & { id: number },
): Promise<boolean> {
  const to = await findOperatorAddress(tx, event)
  if (to === null || (await isMailLimitReached(ctx, tx, event, 'selection_submitted'))) return false
  const letter = await selectionLetter(tx, head, event, selection)
  const recipient = { to, replyTo: selection.guestEmail }
  await queueEventMail(ctx, tx, head, event, { kind: 'selection_submitted', selectionId, ...recipient, letter })
  return (await ctx.mailer.newStatus(tx)) === 'queued'
}

async function isMailLimitReached(
  { config, clock, log }: AppContext,
  tx: Tx,
  { id }: EventRow,
  kind: MailKind,
): Promise<boolean> {
  if (!config.rateLimit) return false
  const { count } = await tx
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', id)
    .where('kind', '=', kind)
    .where('created_at', '>', clock.now() - hours(1))
    .executeTakeFirstOrThrow()
  const left = maxSelectionMails - Number(count)
  if (left === 1) log.warn({ eventId: id }, 'The limit of mails of a kind about an event was reached')
  return left <= 0
}

/** Guests cause these mails, and anybody can type the address of somebody else. */
const limitedKinds: readonly MailKind[] = ['selection_sent', 'first_look_asked']

/** Mails a guest. Returns false if the limit of the hour is reached. */
export async function mailRound(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  mail: GuestRoundMail,
): Promise<boolean> {
  const { kind, guest, selectionId } = mail
  if (limitedKinds.includes(kind) && (await isMailLimitReached(ctx, tx, event, kind))) return false
  const letter = await guestRoundLetter(tx, head, event, mail)
  await queueEventMail(ctx, tx, head, event, {
    kind,
    ...(selectionId !== undefined && { selectionId }),
    to: guest.email,
    replyTo: event.admin_email,
    letter,
  })
  return true
}

/** Mails the operator that a guest wants to change a selection, at most once an hour. */
export async function mailReopening(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  { selectionId, guestEmail, ...asked }: AskedReopening & { selectionId: number; guestEmail: string | null },
): Promise<void> {
  const to = await findOperatorAddress(tx, event)
  const last = await tx
    .selectFrom('mails')
    .select('id')
    .where('selection_id', '=', selectionId)
    .where('kind', '=', 'reopening_asked')
    .where('created_at', '>', ctx.clock.now() - hours(1))
    .limit(1)
    .executeTakeFirst()
  if (to === null || last || (await isMailLimitReached(ctx, tx, event, 'reopening_asked'))) return
  const letter = await reopeningLetter(tx, head, event, asked)
  await queueEventMail(ctx, tx, head, event, { kind: 'reopening_asked', selectionId, to, replyTo: guestEmail, letter })
}

/** Returns false if there is no address. */
export async function mailThreads(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  told: ToldThreads,
): Promise<boolean> {
  const to = told.guest === null ? await findOperatorAddress(tx, event) : told.guest.email
  if (to === null) return false
  const letter = await threadsLetter(tx, head, event, told)
  const kind = told.guest === null ? 'thread_asked' : 'thread_answered'
  await queueEventMail(ctx, tx, head, event, { kind, to, replyTo: null, letter })
  return true
}

async function findOperatorAddress(tx: Tx, { admin_email, created_by }: EventRow): Promise<string | null> {
  if (admin_email) return admin_email
  const creator = created_by === null ? undefined : await findUser(tx, created_by)
  return creator?.is_active === 1 ? creator.email : null
}

type Recipient = { role: RecipientRole; to: string; replyTo: string | null }

/** If both addresses are the same, only the customer's mail is sent. Replies of the customer go to the operator. */
function listRecipients({ customer_email, admin_email }: EventRow, operator: string | null): Recipient[] {
  const isOne = customer_email?.toLowerCase() === operator?.toLowerCase()
  return [
    ...(customer_email ? [{ role: 'customer' as const, to: customer_email, replyTo: admin_email }] : []),
    ...(operator && !isOne ? [{ role: 'operator' as const, to: operator, replyTo: null }] : []),
  ]
}

type EventMail = Omit<NewMail, 'eventId' | 'senderName' | 'credential'> & Partial<Pick<NewMail, 'credential'>>

const queueEventMail = (ctx: AppContext, tx: Tx, { studioName }: Letterhead, { id }: EventRow, mail: EventMail) =>
  queueMail(ctx, tx, { credential: null, ...mail, eventId: id, senderName: studioName || null })
