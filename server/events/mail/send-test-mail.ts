import { randomUUID } from 'node:crypto'
import type { TestMailReply } from '../../../contract/mail.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { AppError } from '../../platform/app-error.ts'
import { seconds } from '../../platform/clock.ts'
import { composeMail, type Letter } from '../../platform/mail/letter.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { Letterhead } from './event-letters.ts'
import { loadLetterhead } from './event-mail.ts'

const attemptMs = seconds(20)

/** Sends without the queue, to return the result of the mail server. Throws INVALID_STATE if none is configured. */
export async function sendTestMail(ctx: AppContext, { user }: AccountCaller): Promise<TestMailReply> {
  const { mailer } = ctx
  if (mailer.newStatus === 'kept') {
    throw new AppError('INVALID_STATE', { text: 'No mail server is configured. Set SMTP_URL first.' })
  }
  const head = await loadLetterhead(ctx)
  const outcome = await mailer.send(
    {
      ...composeMail(testLetter(head, user.username)),
      messageId: `proofroom-test-${randomUUID()}`,
      to: user.email,
      replyTo: null,
      senderName: head.studioName || null,
      credential: null,
    },
    AbortSignal.timeout(attemptMs),
  )
  return { to: user.email, is_sent: outcome.result === 'sent', problem: 'reason' in outcome ? outcome.reason : null }
}

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
