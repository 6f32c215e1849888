import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { pino } from 'pino'
import { createFirstAdmin } from '../../server/access/accounts.ts'
import { openHouse } from '../../server/open-house.ts'
import { readConfig } from '../../server/platform/config.ts'
import { isOnPostgres } from './back-ends.ts'

/** With no password there is no account. */
type First = { password: string | null }

const made = new Map<string | null, Promise<Buffer>>()

/** What a service on such data would not find in a copy. */
const ofItsOwn = ['DATA_DIR', 'DATABASE_URL', 'ADMIN_USERNAME', 'ADMIN_EMAIL', 'ADMIN_PASSWORD']

/**
 * Puts the SQLite file of a first start, with all tables and the first account, into an empty data folder. It is made once
 * in each process that runs tests, and copied: hundreds of services would make the same. What a first start does is
 * held by the tests of whole processes.
 */
export async function beginWithTables(
  dataDir: string,
  environment: Record<string, string>,
  { password }: First,
): Promise<void> {
  if (isOnPostgres || ofItsOwn.some((name) => name in environment)) return
  const first = made.get(password) ?? makeFirst(password)
  made.set(password, first)
  await writeFile(join(dataDir, fileName), await first)
}

/** Every hash says what it takes to compare with it: signing in is quick here, while all that is hashed takes what it takes. */
const quickHash = (password: string): Promise<string> => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

const fileName = 'proofroom.db'

async function makeFirst(password: string | null): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-first-'))
  const config = readConfig({ DATA_DIR: folder, ...(password !== null && { ADMIN_PASSWORD: password }) })
  const { house, close } = await openHouse(config, pino({ level: 'silent' }))
  if (password !== null) {
    await createFirstAdmin(house)
    await house.db
      .updateTable('users')
      .set({ password_hash: await quickHash(password) })
      .execute()
  }
  await close()
  const bytes = await readFile(join(folder, fileName))
  await rm(folder, { recursive: true })
  return bytes
}
