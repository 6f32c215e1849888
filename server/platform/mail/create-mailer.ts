import type { Config } from '../config.ts'
import type { Mailer } from './mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

/** Without SMTP_URL no mail is sent; mails are stored and can be read in the outbox. */
export const createMailer = (config: Config): Mailer =>
  config.smtp ? createSmtpMailer(config, config.smtp) : outboxOnly

const outboxOnly: Mailer = {
  newStatus: 'kept',
  send: async () => ({ result: 'failed', reason: 'No mail server is configured.' }),
}
