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
import type { Letterhead } from './event-letters.ts'
import { loadLetterhead } from './event-mail.ts'

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
      ...composeMail(testLetter(head, user.username)),
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

const english = {
  subject: 'Test email',
  greeting: (name: string) => `Hello ${name},`,
  text: 'This is a test email from Proofroom. Email delivery works.',
  open: 'Open Proofroom',
}

const german: typeof english = {
  subject: 'Test-E-Mail',
  greeting: (name) => `Hallo ${name},`,
  text: 'dies ist eine Test-E-Mail von Proofroom. Der E-Mail-Versand funktioniert.',
  open: 'Proofroom öffnen',
}

function testLetter({ language, studioName, logo, origin }: Letterhead, username: string): Letter {
  const messages = language === 'de' ? german : english
  return {
    locale: language,
    subject: messages.subject,
    greeting: messages.greeting(username),
    // The button shows whether links in mails have the right origin.
    blocks: [{ paragraph: messages.text }, { button: messages.open, url: `${origin}/admin` }],
    logo,
    signature: studioName ? [studioName] : null,
  }
}
