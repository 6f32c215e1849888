import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../configuration/config.ts'
import type { OpenDatabase } from '../database/opened-database.ts'
import type { Database } from '../database/tables.ts'

export type Secrets = { jwtSecret: string; encryptionKey: string }

export type StoredSecretTable = { name: string; value: string }

declare module '../database/tables.ts' {
  interface Tables {
    kept_secrets: StoredSecretTable
  }
}

type SecretsConfig = Pick<Config, 'dataDir' | 'jwtSecret' | 'encryptionKey'>

/**
 * Returns the secrets from the environment. A missing one is generated once and stored in `DATA_DIR/secrets`, or with
 * PostgreSQL in the database, which takes over a secret that is in that folder.
 */
export async function loadSecrets(
  config: SecretsConfig,
  database: Pick<OpenDatabase, 'kind' | 'db'>,
): Promise<Secrets> {
  const folder = join(config.dataDir, 'secrets')
  const readSecret =
    database.kind === 'sqlite' ? await createFolderReader(folder) : createDatabaseReader(database.db, folder)
  return {
    jwtSecret: config.jwtSecret ?? (await readSecret('jwt-secret')),
    encryptionKey: config.encryptionKey ?? (await readSecret('encryption-key')),
  }
}

/** With PostgreSQL, a generated key is in the database, so a copy of the database decrypts everything. */
export const isEncryptionKeyInDatabase = ({
  config,
  database,
}: {
  config: Pick<Config, 'encryptionKey'>
  database: Pick<OpenDatabase, 'kind'>
}): boolean => config.encryptionKey === null && database.kind === 'postgres'

/** Returns the generated encryption key in a PostgreSQL database, or null. A key in the environment is used instead of it. */
export async function readKeptKey(db: Database): Promise<string | null> {
  const query = db.selectFrom('kept_secrets').select('value').where('name', '=', 'encryption-key')
  return (await query.executeTakeFirst())?.value ?? null
}

/** Does nothing if the database has another key by now. */
export async function deleteKeptKey(db: Database, value: string): Promise<void> {
  await db.deleteFrom('kept_secrets').where('name', '=', 'encryption-key').where('value', '=', value).execute()
}

/** Returns the key without creating one: that of the environment, `inDatabase`, or that of the folder; null if there is none. */
export async function findEncryptionKey(config: SecretsConfig, inDatabase: string | null): Promise<string | null> {
  const path = join(config.dataDir, 'secrets', 'encryption-key')
  const known = config.encryptionKey ?? inDatabase
  return known ?? (existsSync(path) ? (await readFile(path, 'utf8')).trim() : null)
}

const generateSecret = (): string => randomBytes(48).toString('base64url')

type ReadSecret = (name: string) => Promise<string>

/** Writes a temporary file and links it, so that no process reads a partial secret. */
async function createFolderReader(folder: string): Promise<ReadSecret> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  return async (name) => {
    const path = join(folder, name)
    if (!existsSync(path)) {
      const temporaryPath = `${path}-${randomUUID()}`
      await writeFile(temporaryPath, generateSecret(), { mode: 0o600, flush: true })
      await link(temporaryPath, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await rm(temporaryPath)
    }
    return (await readFile(path, 'utf8')).trim()
  }
}

/** When nodes start at the same time, all use the secret that was inserted first. */
const createDatabaseReader =
  (db: Database, folder: string): ReadSecret =>
  async (name) => {
    const find = () => db.selectFrom('kept_secrets').select('value').where('name', '=', name).executeTakeFirst()
    const known = await find()
    if (known) return known.value
    const path = join(folder, name)
    const value = existsSync(path) ? (await readFile(path, 'utf8')).trim() : generateSecret()
    const row = db.insertInto('kept_secrets').values({ name, value })
    await row.onConflict((conflict) => conflict.column('name').doNothing()).execute()
    return (await find())?.value ?? value
  }
