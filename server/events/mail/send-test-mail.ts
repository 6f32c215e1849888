import { randomUUID } from 'node:crypto'
import type { TestMailReply } from '../../../contract/instance/mail.ts'
import type { TestMailServerBody } from '../../../contract/instance/mail-server.ts'
import type { User } from '../../access/account-rows.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { consume } from '../../access/limits/rate-limits.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { composeMail, type Letter } from '../../platform/mail/letter.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { resolveEnteredRoute } from '../../settings/mail-server.ts'
import { loadLetterhead } from './event-mail.ts'
import { fillLetter, getCommonParts, type Letterhead, translateMail } from './write-letter.ts'

const attemptMs = seconds(20)

/** Sends without the queue, to return the result of the mail server. Throws INVALID_STATE if none is configured. */
export async function sendTestMail(ctx: AppContext, { user }: AccountCaller): Promise<TestMailReply> {
  if ((await ctx.mailer.newStatus(ctx.db)) === 'kept') throw notConfigured()
  await consume(ctx.access.limits.testMails(`user ${user.id}`))
  return send(ctx, user, user.email, ctx.mailer.send)
}

/**
 * Sends a test mail through the entered server, before or after it is stored. Throws INVALID_STATE if none is entered or
 * configured, or what `resolveEnteredRoute` throws.
 */
export async function testMailServer(
  ctx: AppContext,
  { user }: AccountCaller,
  { to, ...entered }: TestMailServerBody,
): Promise<TestMailReply> {
  await consume(ctx.access.limits.testMails(`user ${user.id}`))
  const route = await resolveEnteredRoute(ctx, entered)
  if (!route) throw notConfigured()
  return send(ctx, user, to, (mail, signal) => ctx.mailer.sendThrough(route, mail, signal))
}

async function send(ctx: AppContext, user: User, to: string, through: Mailer['send']): Promise<TestMailReply> {
  const head = await loadLetterhead(ctx)
  const outcome = await through(
    {
      ...composeMail(createTestLetter(head, user.username)),
      messageId: `proofroom-test-${randomUUID()}`,
      to,
      replyTo: null,
      senderName: head.studioName || null,
      credential: null,
    },
    AbortSignal.timeout(attemptMs),
  )
  if (outcome.result === 'sent') return { to, is_sent: true, problem: null, failure: null }
  return { to, is_sent: false, problem: outcome.reason, failure: outcome.failure }
}

const notConfigured = (): AppError =>
  new AppError('INVALID_STATE', { text: 'No mail server is configured. Set one up first.' })

function createTestLetter(head: Letterhead, username: string): Letter {
  const t = translateMail(head)
  const { values, blocks } = getCommonParts(head, username)
  const text = { subject: t('test_subject'), text: t('test_text') }
  // The button shows whether links in mails have the right origin.
  const link = [{ button: t('openProofroom'), url: `${head.origin}/admin` }]
  return fillLetter(head, text, { values, blocks: { ...blocks, link } })
}
