import { AppError } from '../app-error.ts'
import type { PlatformContext } from '../platform-context.ts'
import { credentialPlaceholder } from './letter.ts'
import type { MailRow } from './mail-rows.ts'
import { maxMailAgeMs } from './prune-mails.ts'

/** Throws INVALID_STATE for a mail that is sent, too old or without its credential, and without a mail server. */
export async function retryMail({ db, clock, changes, mailer }: PlatformContext, mail: MailRow): Promise<MailRow> {
  const now = clock.now()
  if (mailer.newStatus === 'kept') throw invalidState('No mail server is set up: set SMTP_URL first.')
  if (mail.created_at < now - maxMailAgeMs) throw invalidState('The mail is older than 7 days. Write a new one.')
  if (mail.text_body.includes(credentialPlaceholder))
    throw invalidState('What was secret in this mail is erased. Write a new one.')
  const queued = await db
    .updateTable('mails')
    .set({ status: 'queued', attempts: 0, next_attempt_at: now, last_error: null })
    .where('id', '=', mail.id)
    .where('status', 'in', ['failed', 'kept'])
    .returningAll()
    .executeTakeFirst()
  if (!queued) throw invalidState('The mail has been sent already, or is on its way.')
  changes.notify('mail', mail.id)
  return queued
}

const invalidState = (text: string): AppError => new AppError('INVALID_STATE', { text })
