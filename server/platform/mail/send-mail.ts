import type { Tx } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import type { PlatformContext } from '../platform-context.ts'
import { hours, minutes, seconds } from '../time/clock.ts'
import { insertCredential } from './letter.ts'
import { credentialPurpose, type MailRow } from './mail-rows.ts'
import type { MailPicture, OutgoingMail, SendOutcome } from './mailer.ts'

const attemptMs = seconds(60)

/** How long a claim lasts. After that time the mail is due again, for example after a crash. */
const leaseMs = attemptMs + seconds(20)

/** The delay after each failure, changed at random by up to 10 %. The failure after the last delay is final. */
const retryDelays = [minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)]

/** Claims due mails, longest due first, so that no other process sends them. */
export function claimDueMails({ db, clock }: PlatformContext, limit: number): Promise<MailRow[]> {
  return inTransaction(db, 'work mail', async (tx) => {
    const now = clock.now()
    const due = await tx
      .selectFrom('mails')
      .select('id')
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(limit)
      .execute()
    if (due.length === 0) return []
    return tx
      .updateTable('mails')
      .set((mail) => ({ attempts: mail('attempts', '+', 1), next_attempt_at: now + leaseMs }))
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .where('next_attempt_at', '<=', now)
      .returningAll()
      .execute()
  })
}

/** Makes mails due that wait for a later attempt, for example after the mail server was corrected. Leaves out claimed mails. */
export async function retryWaitingMails({ clock }: PlatformContext, tx: Tx): Promise<void> {
  const now = clock.now()
  await tx
    .updateTable('mails')
    .set({ next_attempt_at: now })
    .where('next_attempt_at', '>', now + leaseMs)
    .execute()
}

/** Runs in the transaction that stores that a mail was sent. */
export type OnMailSent = (tx: Tx, mail: MailRow, now: number) => Promise<void>

/** Returns the pictures that the HTML of a mail names. */
export type LoadMailPictures = (mail: MailRow) => Promise<MailPicture[]>

type SendOptions = { ending: AbortSignal; onSent: OnMailSent; loadPictures: LoadMailPictures }

/** `ending` is aborted when the process must end. */
export async function sendMail(
  ctx: PlatformContext,
  mail: MailRow,
  { ending, onSent, loadPictures }: SendOptions,
): Promise<void> {
  const outcome = await attempt(ctx, mail, await loadPictures(mail), ending)
  if (outcome.result !== 'sent') {
    const { id, attempts } = mail
    ctx.log.warn({ mail: id, attempts, reason: outcome.reason }, 'Could not send a mail')
  }
  await inTransaction(ctx.db, 'work mail', async (tx) => {
    const now = ctx.clock.now()
    // Changes nothing if another process has claimed the mail after the lease.
    const stored = await tx
      .updateTable('mails')
      .set(nextState(outcome, mail, now, ending.aborted))
      .where('id', '=', mail.id)
      .where('attempts', '=', mail.attempts)
      .where('status', '=', 'queued')
      .returning('status')
      .executeTakeFirst()
    if (stored?.status === 'sent') await onSent(tx, mail, now)
  })
}

async function attempt(
  { mailer, encryption }: PlatformContext,
  mail: MailRow,
  pictures: MailPicture[],
  ending: AbortSignal,
): Promise<SendOutcome> {
  let credential: string | null
  try {
    credential = mail.credential && encryption.decrypt(mail.credential, credentialPurpose)
  } catch {
    return {
      result: 'refused',
      failure: 'unreadable_secret',
      reason: 'The password or link in this email cannot be decrypted because ENCRYPTION_KEY has changed.',
    }
  }
  return mailer.send(
    toOutgoingMail(mail, credential, pictures),
    AbortSignal.any([ending, AbortSignal.timeout(attemptMs)]),
  )
}

function toOutgoingMail(mail: MailRow, credential: string | null, pictures: MailPicture[]): OutgoingMail {
  const composed = { subject: mail.subject, text: mail.text_body, html: mail.html_body }
  return {
    ...insertCredential(composed, credential ?? ''),
    messageId: `proofroom-${mail.id}-${mail.created_at}`,
    to: mail.recipient,
    replyTo: mail.reply_to,
    senderName: mail.sender_name,
    credential,
    pictures,
  }
}

type Change = Partial<
  Pick<MailRow, 'status' | 'credential' | 'attempts' | 'next_attempt_at' | 'last_error' | 'sent_at'>
>

function nextState(outcome: SendOutcome, { attempts }: MailRow, now: number, isEnding: boolean): Change {
  const done = { credential: null, next_attempt_at: null }
  if (outcome.result === 'sent') return { ...done, status: 'sent', sent_at: now, last_error: null }
  const last_error = outcome.reason
  if (outcome.result === 'refused') return { ...done, status: 'failed', last_error }
  // Aborted by the end of this process, which is not a failure: the mail is due at once.
  if (isEnding) return { attempts: attempts - 1, next_attempt_at: now }
  const wait = retryDelays[attempts - 1]
  if (wait === undefined) return { ...done, status: 'failed', last_error }
  return { next_attempt_at: now + Math.round(wait * (0.9 + Math.random() * 0.2)), last_error }
}
