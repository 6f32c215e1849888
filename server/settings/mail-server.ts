import type { ChangeMailServerBody, MailServerFields, MailServerRecord } from '../../contract/instance/mail-server.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import { type MailAddress, parseMailAddress, type SmtpServer, toSmtpServer } from '../platform/mail/mail-config.ts'
import {
  decryptServer,
  encryptServerPassword,
  findMailServerRow,
  type MailServerRow,
  type StoredServer,
  storedServerOf,
  storeMailServer,
} from '../platform/mail/mail-server-rows.ts'
import type { MailRoute } from '../platform/mail/mailer.ts'
import { countSendableMails, queueKeptMails } from '../platform/mail/queue-mail.ts'
import { retryWaitingMails } from '../platform/mail/send-mail.ts'
import type { AppContext } from './app-context.ts'

/** Contains no password, and no user name if the environment names the server. */
export async function readMailServer(ctx: AppContext): Promise<MailServerRecord> {
  const { config, mailer } = ctx
  const row = await findMailServerRow(ctx.db)
  const stored = storedServerOf(row)
  const sender = row?.sender ? parseMailAddress(row.sender) : null
  // The user name is enough to derive the sender.
  const login = config.smtp ? config.smtp.login : stored?.user_name ? { user: stored.user_name, password: '' } : null
  return {
    ...(config.smtp
      ? { server: describeEnvironmentServer(config.smtp), server_source: 'environment' }
      : { server: stored && describeStoredServer(stored), server_source: stored ? 'app' : 'none' }),
    sender: config.mailFrom ? formatAddress(config.mailFrom) : (row?.sender ?? null),
    sender_source: config.mailFrom ? 'environment' : row?.sender ? 'app' : 'derived',
    used_sender: (await mailer.resolveSender(sender, login)).address,
    derived_sender: (await mailer.resolveSender(null, login)).address,
    sendable_mails: await countSendableMails(ctx),
  }
}

const describeEnvironmentServer = ({ host, port, login }: SmtpServer): MailServerRecord['server'] => ({
  host,
  port,
  security: null,
  user_name: null,
  has_password: login !== null,
})

const describeStoredServer = ({ host, port, security, user_name, sealed_password }: StoredServer) => ({
  host,
  port,
  security,
  user_name,
  has_password: sealed_password !== null,
})

const formatAddress = ({ name, address }: MailAddress): string => (name ? `${name} <${address}>` : address)

/**
 * Throws INVALID_STATE for values that the environment sets, and VALIDATION_ERROR for an invalid sender, an incomplete
 * sign-in, or a stored password that would go to another server.
 */
export async function changeMailServer(ctx: AppContext, body: ChangeMailServerBody): Promise<MailServerRecord> {
  const { config } = ctx
  if (body.server !== undefined && config.smtp) throw setByEnvironment('SMTP_URL', 'mail server')
  if (body.sender !== undefined && config.mailFrom) throw setByEnvironment('MAIL_FROM', 'sender')
  const sender = body.sender === undefined ? {} : { sender: parseSender(body.sender)?.text ?? null }
  await inTransaction(ctx.db, 'work mail', async (tx) => {
    const stored = storedServerOf(await findMailServerRow(tx))
    const server = body.server === undefined ? {} : toColumns(ctx, stored, body.server)
    await storeMailServer(tx, { ...server, ...sender }, ctx.clock.now())
    if (body.server) await retryWaitingMails(ctx, tx)
    if (body.send_kept && (await ctx.mailer.newStatus(tx)) === 'queued') await queueKeptMails(ctx, tx)
  })
  ctx.changes.notify('settings', null)
  return readMailServer(ctx)
}

type ServerColumns = Omit<MailServerRow, 'id' | 'sender' | 'updated_at'>

function toColumns(ctx: AppContext, stored: StoredServer | null, entered: MailServerFields | null): ServerColumns {
  if (entered === null) return { host: null, port: null, security: null, user_name: null, sealed_password: null }
  assertLogin(stored, entered)
  const { password, user_name = null, ...place } = entered
  const kept = password === undefined ? (stored?.sealed_password ?? null) : null
  const sealed_password = user_name === null ? null : password ? encryptServerPassword(ctx, password) : kept
  return { ...place, user_name, sealed_password }
}

/**
 * Returns the entered server and sender, or what is configured where they are left out; null without a server. Throws
 * what `changeMailServer` throws, and VALIDATION_ERROR if the stored password cannot be decrypted.
 */
export async function resolveEnteredRoute(
  ctx: AppContext,
  entered: { server?: MailServerFields; sender?: string | null },
): Promise<MailRoute | null> {
  const { config, mailer } = ctx
  if (entered.server && config.smtp) throw setByEnvironment('SMTP_URL', 'mail server')
  const row = await findMailServerRow(ctx.db)
  const stored = storedServerOf(row)
  const server = entered.server
    ? resolveEnteredServer(ctx, stored, entered.server)
    : (config.smtp ?? (stored && decryptStored(ctx, stored)))
  const sender = parseSender(entered.sender === undefined ? (row?.sender ?? null) : entered.sender)
  return server && { server, sender: await mailer.resolveSender(sender?.address ?? null, server.login) }
}

function resolveEnteredServer(ctx: AppContext, stored: StoredServer | null, entered: MailServerFields): SmtpServer {
  assertLogin(stored, entered)
  const { user_name: user, password } = entered
  if (stored && user && password === undefined) return decryptStored(ctx, stored)
  return toSmtpServer(entered, user && password ? { user, password } : null)
}

function decryptStored(ctx: AppContext, stored: StoredServer): SmtpServer {
  try {
    return decryptServer(ctx, stored)
  } catch {
    throw invalidField('server.password', 'must be entered again because ENCRYPTION_KEY has changed')
  }
}

/** A stored password is only used for the server for which it was entered, so that it cannot be sent to another one. */
function assertLogin(stored: StoredServer | null, entered: MailServerFields): void {
  const { host, port, security, user_name: user = null, password } = entered
  if (user === null && password) throw invalidField('server.user_name', 'is required with a password', 'required')
  if (user === null || password) return
  const isSame =
    stored?.host === host && stored.port === port && stored.security === security && stored.user_name === user
  if (password === undefined && isSame && stored.sealed_password !== null) return
  const isStored = password === undefined && stored !== null && stored.sealed_password !== null
  const text = isStored ? 'must be entered again for another server or user name' : 'is required with a user name'
  throw invalidField('server.password', text, 'required')
}

function parseSender(text: string | null): { text: string; address: MailAddress } | null {
  if (text === null) return null
  try {
    return { text: text.trim(), address: parseMailAddress(text.trim()) }
  } catch (error) {
    throw invalidField('sender', (error as Error).message)
  }
}

const setByEnvironment = (variable: string, what: string): AppError =>
  new AppError('INVALID_STATE', { text: `${variable} in the environment sets the ${what}.` })
