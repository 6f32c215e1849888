import type { Selectable } from 'kysely'
import type { MailSecurity } from '../../../contract/instance/mail-server.ts'
import type { Database, Tx } from '../database/tables.ts'
import type { PlatformContext } from '../platform-context.ts'
import { type EncryptedColumn, encryptedColumn } from '../security/encrypted-columns.ts'
import { type SmtpServer, toSmtpServer } from './mail-config.ts'

/** At most one row: what was entered in the admin app. SMTP_URL and MAIL_FROM have priority. */
export type MailServerTable = {
  id: 1
  /** Null with `port` and `security`: no server. */
  host: string | null
  port: number | null
  security: MailSecurity | null
  /** Null: no sign-in, and no password. */
  user_name: string | null
  sealed_password: string | null
  /** As MAIL_FROM; null: derived. */
  sender: string | null
  updated_at: number
}

declare module '../database/tables.ts' {
  interface Tables {
    mail_server: MailServerTable
  }
}

export type MailServerRow = Selectable<MailServerTable>

export type StoredServer = Pick<MailServerRow, 'user_name' | 'sealed_password'> & {
  host: string
  port: number
  security: MailSecurity
}

const passwordPurpose = 'mail server password'

export const findMailServerRow = (db: Database | Tx): Promise<MailServerRow | undefined> =>
  db.selectFrom('mail_server').selectAll().where('id', '=', 1).executeTakeFirst()

/** Returns the server of the row, or null if it has none. */
export function storedServerOf(row: MailServerRow | undefined): StoredServer | null {
  if (!row || row.host === null || row.port === null || row.security === null) return null
  const { host, port, security, user_name, sealed_password } = row
  return { host, port, security, user_name, sealed_password }
}

/** Throws if no known key decrypts the password. */
export function decryptServer({ encryption }: Pick<PlatformContext, 'encryption'>, server: StoredServer): SmtpServer {
  const { sealed_password: encrypted, user_name: user } = server
  const login =
    user === null || encrypted === null ? null : { user, password: encryption.decrypt(encrypted, passwordPurpose) }
  return toSmtpServer(server, login)
}

export const encryptServerPassword = ({ encryption }: PlatformContext, password: string): string =>
  encryption.encrypt(password, passwordPurpose)

/** Changes only the given columns. */
export async function storeMailServer(
  tx: Tx,
  columns: Partial<Omit<MailServerRow, 'id' | 'updated_at'>>,
  now: number,
): Promise<void> {
  const none = { host: null, port: null, security: null, user_name: null, sealed_password: null, sender: null }
  await tx
    .insertInto('mail_server')
    .values({ id: 1, ...none, ...columns, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...columns, updated_at: now }))
    .execute()
}

export const mailServerPasswords = ({ db }: PlatformContext): EncryptedColumn =>
  encryptedColumn(
    db,
    { name: 'mail server passwords', getPurpose: () => passwordPurpose },
    { table: 'mail_server', idColumn: 'id', column: 'sealed_password' },
  )
