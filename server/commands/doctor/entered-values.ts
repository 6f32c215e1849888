import type { Config } from '../../platform/configuration/config.ts'
import type { SmtpServer } from '../../platform/mail/mail-config.ts'
import {
  decryptServer,
  type MailServerRow,
  type StoredServer,
  storedServerOf,
} from '../../platform/mail/mail-server-rows.ts'
import { createEncryption } from '../../platform/security/encryption.ts'
import { findEncryptionKey } from '../../platform/security/secrets.ts'
import { originKey, publicUrlKey } from '../../settings/settings.ts'

/**
 * What a super admin has entered in the admin app, and the origin at which one last signed in. `key` is the encryption
 * key, if the database has it.
 */
export type EnteredValues = {
  server: StoredServer | null
  publicUrl: string | null
  origin: string | null
  key: string | null
}

export const nothingEntered: EnteredValues = { server: null, publicUrl: null, origin: null, key: null }

const getValue = (row: unknown): string | null => (row as { value: string } | undefined)?.value ?? null

const mailServerMigration = '0041-mail-server'

/** `applied` are the names of the migrations of the database. Tables that do not exist yet are not read. */
export async function readEnteredValues(
  applied: readonly string[],
  query: (sql: string) => Promise<unknown[]>,
): Promise<EnteredValues> {
  if (!applied.includes(mailServerMigration)) return nothingEntered
  const [server] = await query('select * from mail_server where id = 1')
  const readAddress = async (settingKey: string): Promise<string | null> => {
    const [row] = await query(`select value from settings where key = '${settingKey}'`)
    return JSON.parse(getValue(row) ?? 'null') as string | null
  }
  const [key] = await query(`select value from kept_secrets where name = 'encryption-key'`)
  return {
    server: storedServerOf(server as MailServerRow | undefined),
    publicUrl: await readAddress(publicUrlKey),
    origin: await readAddress(originKey),
    key: getValue(key),
  }
}

/** Creates no key. Throws if the password cannot be decrypted. */
export async function decryptEnteredServer(
  config: Config,
  server: StoredServer,
  keyInDatabase: string | null,
): Promise<SmtpServer> {
  const key = await findEncryptionKey(config, config.databaseUrl === null ? null : keyInDatabase)
  return decryptServer({ encryption: createEncryption(key ?? '', config.encryptionKeyOld) }, server)
}
