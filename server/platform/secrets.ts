import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { OpenDatabase } from './database/opened-database.ts'
import type { Database } from './database/tables.ts'

export type Secrets = { jwtSecret: string; encryptionKey: string }

export type KeptSecretTable = { name: string; value: string }

declare module './database/tables.ts' {
  interface Tables {
    kept_secrets: KeptSecretTable
  }
}

type Given = Pick<Config, 'dataDir' | 'jwtSecret' | 'encryptionKey'>

/**
 * Returns the secrets from the environment, or generates and stores them: in `DATA_DIR/secrets`, with PostgreSQL in the
 * database. PostgreSQL takes over secrets from that folder.
 */
export async function loadSecrets(config: Given, database: Pick<OpenDatabase, 'kind' | 'db'>): Promise<Secrets> {
  const folder = join(config.dataDir, 'secrets')
  const kept = database.kind === 'sqlite' ? await keptInFolder(folder) : keptInDatabase(database.db, folder)
  return {
    jwtSecret: config.jwtSecret ?? (await kept('jwt-secret')),
    encryptionKey: config.encryptionKey ?? (await kept('encryption-key')),
  }
}

const generatedSecret = (): string => randomBytes(48).toString('base64url')

type Kept = (name: string) => Promise<string>

/** Writes a temporary file and links it, so that no process reads a partial secret. */
async function keptInFolder(folder: string): Promise<Kept> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  return async (name) => {
    const path = join(folder, name)
    if (!existsSync(path)) {
      const draft = `${path}-${randomUUID()}`
      await writeFile(draft, generatedSecret(), { mode: 0o600, flush: true })
      await link(draft, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await rm(draft)
    }
    return (await readFile(path, 'utf8')).trim()
  }
}

/** When nodes start at the same time, all use the secret that was inserted first. */
const keptInDatabase =
  (db: Database, folder: string): Kept =>
  async (name) => {
    const find = () => db.selectFrom('kept_secrets').select('value').where('name', '=', name).executeTakeFirst()
    const known = await find()
    if (known) return known.value
    const path = join(folder, name)
    const value = existsSync(path) ? (await readFile(path, 'utf8')).trim() : generatedSecret()
    const row = db.insertInto('kept_secrets').values({ name, value })
    await row.onConflict((conflict) => conflict.column('name').doNothing()).execute()
    return (await find())?.value ?? value
  }
