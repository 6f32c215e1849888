import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createFirstAdmin } from '../../../server/access/accounts.ts'
import { createAppContext } from '../../../server/create-app-context.ts'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { isOnPostgres } from './back-ends.ts'
import { sharedEdges } from './shared-edges.ts'

/** null: no account is created. */
type FirstAccount = { password: string | null }

const firstDatabases = new Map<string | null, Promise<Buffer>>()

/** If one of these variables is set, a copied database would not match the configuration. */
const databaseVariables = ['DATA_DIR', 'DATABASE_URL', 'ADMIN_USERNAME', 'ADMIN_EMAIL', 'ADMIN_PASSWORD']

/**
 * Copies a SQLite file with all tables and the first account into an empty data folder, which is faster than a first
 * start. Does nothing on PostgreSQL or if one of `databaseVariables` is set.
 */
export async function copyFirstDatabase(
  dataDir: string,
  environment: Record<string, string>,
  { password }: FirstAccount,
): Promise<void> {
  if (isOnPostgres || databaseVariables.some((name) => name in environment)) return
  const first = firstDatabases.get(password) ?? createFirstDatabase(password)
  firstDatabases.set(password, first)
  await writeFile(join(dataDir, fileName), await first)
}

const fileName = 'proofroom.db'

async function createFirstDatabase(password: string | null): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-first-'))
  const config = readConfig({ DATA_DIR: folder, ...(password !== null && { ADMIN_PASSWORD: password }) })
  const { ctx, close } = await createAppContext(config, pino({ level: 'silent' }), sharedEdges)
  if (password !== null) await createFirstAdmin(ctx)
  await close()
  const bytes = await readFile(join(folder, fileName))
  await rm(folder, { recursive: true })
  return bytes
}
