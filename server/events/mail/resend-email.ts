import type { GalleryMail } from '../../../contract/instance/mail.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { composeMail, insertCredential, maskedCredential } from '../../platform/mail/letter.ts'
import { isoTimeOrNull } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { EventRow } from '../event-rows.ts'
import { assertNotArchived, isExpired } from '../event-rules.ts'
import { getEventInTransaction } from '../get-changeable-event.ts'
import { galleryCreatedLetter } from './event-letters.ts'
import { loadLetterhead, mailGalleryLink } from './event-mail.ts'

/** For a draft, returns the mail that is sent when it is published. Throws EVENT_ARCHIVED or INVALID_STATE. */
export async function previewGalleryMail(ctx: AppContext, event: EventRow): Promise<GalleryMail> {
  if (event.is_draft === 0) assertOpen(ctx, event)
  const head = await loadLetterhead(ctx)
  const compose = async (hasCredential: boolean) =>
    composeMail(await galleryCreatedLetter(ctx.db, head, event, hasCredential))
  const { subject, text } = await compose(false)
  const last = await ctx.db
    .selectFrom('mails')
    .select('created_at')
    .where('event_id', '=', event.id)
    .where('kind', '=', 'gallery_created')
    .where('recipient', '=', event.customer_email ?? '')
    .where('status', 'in', ['queued', 'sent'])
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const hasPassword = event.require_password === 1
  return {
    subject,
    text,
    text_with_password: hasPassword ? insertCredential(await compose(true), maskedCredential).text : null,
    can_send: (await ctx.mailer.newStatus(ctx.db)) === 'queued',
    emailed_at: isoTimeOrNull(last?.created_at ?? null),
  }
}

/** Throws NOT_FOUND, EVENT_ARCHIVED, INVALID_STATE, NO_RECIPIENT, or VALIDATION_ERROR for a wrong password. */
export async function resendEmail(ctx: AppContext, event: EventRow, password: string | null): Promise<void> {
  assertMailable(ctx, event)
  if (password !== null && !(await isGalleryPassword(ctx, event, password))) throw wrongPassword()
  const head = await loadLetterhead(ctx)
  await inTransaction(ctx.db, `event ${event.id}`, async (tx) => {
    const row = await getEventInTransaction(tx, event.id)
    assertMailable(ctx, row)
    if (password !== null && row.access_key !== event.access_key) throw wrongPassword()
    await mailGalleryLink(ctx, tx, head, row, password)
  })
  ctx.changes.notify('mail', event.id)
}

const isGalleryPassword = async (
  { passwords }: AppContext,
  { require_password, password_hash }: EventRow,
  password: string,
): Promise<boolean> => require_password === 1 && (await passwords.isCorrect(password_hash, password))

const wrongPassword = (): AppError => invalidField('password', 'This password is incorrect.')

function assertMailable(ctx: AppContext, row: EventRow): void {
  assertOpen(ctx, row)
  if (!row.customer_email) throw new AppError('NO_RECIPIENT')
}

function assertOpen({ clock }: AppContext, row: EventRow): void {
  assertNotArchived(row)
  if (row.is_draft === 1) throw new AppError('INVALID_STATE', { text: 'A draft has no gallery yet. Publish it first.' })
  if (isExpired(row, clock.now())) {
    throw new AppError('INVALID_STATE', { text: 'The gallery has expired. Set a later expiry date first.' })
  }
}
