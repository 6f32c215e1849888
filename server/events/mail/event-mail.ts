import type { MailKind } from '../../../contract/mail.ts'
import { findUser } from '../../access/account-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import type { Letter } from '../../platform/mail/letter.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { logoPath } from '../../settings/branding.ts'
import type { EventRow } from '../event-rows.ts'
import { isExpired } from '../event-rules.ts'
import {
  archiveNoticeLetter,
  expiryWarningLetter,
  galleryCreatedLetter,
  type Letterhead,
  type RecipientRole,
  type SubmittedSelection,
  selectionLetter,
} from './event-letters.ts'

/** Must be loaded before the transaction that queues the mail. */
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
  }
}

/** To the customer, once, when the event goes live. */
export async function mailGalleryCreated(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  password: string | null,
): Promise<void> {
  if (event.send_email === 1) await mailGalleryLink(ctx, tx, head, event, password)
}

/** To the customer, on request. */
export async function mailGalleryLink(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  password: string | null,
): Promise<void> {
  if (!event.customer_email) return
  const credential = event.require_password === 1 ? password : null
  const letter = galleryCreatedLetter(head, event, credential !== null)
  const mail = {
    kind: 'gallery_created',
    recipientRole: 'customer',
    to: event.customer_email,
    letter,
    credential,
  } as const
  await queueEventMail(ctx, tx, head, event, mail)
}

/** To the customer and to the operator of the event. */
export async function mailExpiryWarning(ctx: AppContext, tx: Tx, head: Letterhead, event: EventRow): Promise<void> {
  for (const { recipientRole, to } of listRecipients(event)) {
    const letter = expiryWarningLetter(head, event, recipientRole)
    await queueEventMail(ctx, tx, head, event, { kind: 'expiry_warning', recipientRole, to, letter })
  }
}

/** To the operator; to the customer only if the gallery was still open. */
export async function mailArchiveNotice(ctx: AppContext, tx: Tx, head: Letterhead, event: EventRow): Promise<void> {
  const isClosing = !isExpired(event, ctx.clock.now())
  for (const { recipientRole, to } of listRecipients(isClosing ? event : { ...event, customer_email: null })) {
    const letter = archiveNoticeLetter(head, event, recipientRole)
    await queueEventMail(ctx, tx, head, event, { kind: 'archive_notice', recipientRole, to, letter })
  }
}

/** To the operator of the event, or to the account that created it. Replies go to the guest. */
export async function mailSelection(
  ctx: AppContext,
  tx: Tx,
  head: Letterhead,
  event: EventRow,
  selection: SubmittedSelection,
): Promise<void> {
  const to = event.admin_email ?? (await creatorEmail(tx, event))
  if (to === null) return
  const letter = selectionLetter(head, event, selection)
  const replyTo = selection.guestEmail
  await queueEventMail(ctx, tx, head, event, {
    kind: 'selection_submitted',
    recipientRole: 'operator',
    to,
    letter,
    replyTo,
  })
}

async function creatorEmail(tx: Tx, { created_by }: EventRow): Promise<string | null> {
  const creator = created_by === null ? undefined : await findUser(tx, created_by)
  return creator?.is_active === 1 ? creator.email : null
}

/** If both addresses are the same, only the customer's mail is sent. */
function listRecipients({
  customer_email,
  admin_email,
}: EventRow): Array<{ recipientRole: RecipientRole; to: string }> {
  const isOne = customer_email?.toLowerCase() === admin_email?.toLowerCase()
  return [
    ...(customer_email ? [{ recipientRole: 'customer' as const, to: customer_email }] : []),
    ...(admin_email && !isOne ? [{ recipientRole: 'operator' as const, to: admin_email }] : []),
  ]
}

type EventMail = {
  kind: MailKind
  recipientRole: RecipientRole
  to: string
  letter: Letter
  replyTo?: string | null
  credential?: string | null
}

/** Replies of the customer go to the operator of the event. */
const queueEventMail = (
  ctx: AppContext,
  tx: Tx,
  { studioName }: Letterhead,
  event: EventRow,
  mail: EventMail,
): Promise<void> =>
  queueMail(ctx, tx, {
    kind: mail.kind,
    eventId: event.id,
    to: mail.to,
    replyTo: mail.replyTo ?? (mail.recipientRole === 'customer' ? event.admin_email : null),
    senderName: studioName || null,
    letter: mail.letter,
    credential: mail.credential ?? null,
  })
