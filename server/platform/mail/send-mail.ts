import { hours, minutes, seconds } from '../clock.ts'
import { inTransaction } from '../database/transaction.ts'
import type { PlatformContext } from '../platform-context.ts'
import { withCredential } from './letter.ts'
import { credentialPurpose, type MailRow } from './mail-rows.ts'
import type { Outcome, OutgoingMail } from './mailer.ts'

/** One attempt takes no longer than this. */
export const attemptMs = seconds(60)

/** A claimed mail is nobody else's for so long; after a crash it is due again. */
const leaseMs = attemptMs + seconds(20)

/** After the first failure, the second, …; after the last the mail has failed. */
const waits = [minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)]

/** Takes due mails, oldest first, so that no other process sends them too. */
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

/** One attempt at a claimed mail, and what comes of it. `ending` is raised when the process must end. */
export async function sendMail(ctx: PlatformContext, mail: MailRow, ending: AbortSignal): Promise<void> {
  const outcome = await attempt(ctx, mail, ending)
  if (outcome.result !== 'sent') {
    const { id, attempts } = mail
    ctx.log.warn({ mail: id, attempts, reason: outcome.reason }, 'A mail could not be sent')
  }
  // Only while the claim is ours: after the lease another process may have it.
  await ctx.db
    .updateTable('mails')
    .set(stateAfter(outcome, mail, ctx.clock.now(), ending.aborted))
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .where('status', '=', 'queued')
    .execute()
}

async function attempt({ mailer, encryption }: PlatformContext, mail: MailRow, ending: AbortSignal): Promise<Outcome> {
  let credential: string | null
  try {
    credential = mail.credential && encryption.open(mail.credential, credentialPurpose)
  } catch {
    return { result: 'refused', reason: 'The password in this mail cannot be read: ENCRYPTION_KEY has changed.' }
  }
  return mailer.send(outgoing(mail, credential), AbortSignal.any([ending, AbortSignal.timeout(attemptMs)]))
}

function outgoing(mail: MailRow, credential: string | null): OutgoingMail {
  const composed = { subject: mail.subject, text: mail.text_body, html: mail.html_body }
  return {
    ...withCredential(composed, credential ?? ''),
    messageId: `proofroom-${mail.id}-${mail.created_at}`,
    to: mail.recipient,
    replyTo: mail.reply_to,
    senderName: mail.sender_name,
    credential,
  }
}

type Change = Partial<
  Pick<MailRow, 'status' | 'credential' | 'attempts' | 'next_attempt_at' | 'last_error' | 'sent_at'>
>

function stateAfter(outcome: Outcome, { attempts }: MailRow, now: number, isEnding: boolean): Change {
  const done = { credential: null, next_attempt_at: null }
  if (outcome.result === 'sent') return { ...done, status: 'sent', sent_at: now, last_error: null }
  const last_error = outcome.reason
  if (outcome.result === 'refused') return { ...done, status: 'failed', last_error }
  // Broken off by the end of this process, which is no failure: the next one sends it at once.
  if (isEnding) return { attempts: attempts - 1, next_attempt_at: now }
  const wait = waits[attempts - 1]
  if (wait === undefined) return { ...done, status: 'failed', last_error }
  return { next_attempt_at: now + Math.round(wait * (0.9 + Math.random() * 0.2)), last_error }
}
