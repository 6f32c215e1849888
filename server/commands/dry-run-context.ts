import { constants, existsSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { createAppContext, databaseLocation } from '../create-app-context.ts'
import type { Config } from '../platform/configuration/config.ts'
import { describeFolderFix } from '../platform/process/data-folder.ts'
import { canUse } from '../platform/process/data-owner.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import { readCommandConfig } from './command-environment.ts'
import { printError } from './print.ts'
import { withAppContext } from './with-app-context.ts'

/**
 * Opens the data for a command that only reads. If there are none yet, it gets an empty instance in a temporary folder,
 * which is removed afterwards. Throws the errors of `withAppContext`.
 */
export async function withDryRunContext(work: (ctx: AppContext) => Promise<void>): Promise<void> {
  const config = readCommandConfig()
  if (await hasTables(config)) return withAppContext({ creates: 'never', createsFirstAdmin: false }, work)
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-dry-run-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const signals = { SIGINT: 130, SIGTERM: 143 }
  for (const [signal, code] of Object.entries(signals)) {
    process.once(signal, () => {
      remove()
      process.exit(code)
    })
  }
  try {
    const empty = { ...config, dataDir, databaseUrl: null, s3: null }
    const { ctx, close } = await createAppContext(empty, pino({ level: 'error' }, pino.destination(2)))
    await work(ctx).finally(close)
    if (!existsSync(config.dataDir) && !canBeCreated(config.dataDir)) {
      printError(t('cannotCreate', { folder: config.dataDir, fix: describeFolderFix(config.dataDir) }))
    }
  } finally {
    remove()
  }
}

function canBeCreated(folder: string): boolean {
  const parent = dirname(folder)
  return existsSync(parent) ? canUse(parent, constants.W_OK | constants.X_OK) : canBeCreated(parent)
}

/** Whether opening the database would find an instance instead of creating one. */
async function hasTables(config: Config): Promise<boolean> {
  const place = databaseLocation(config)
  if ('file' in place) return existsSync(place.file)
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: place.url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(`select to_regclass('kysely_migration') as found`)
    return rows[0]?.found !== null
  } catch {
    // The error of opening the database names the problem.
    return true
  } finally {
    await client.end().catch(() => undefined)
  }
}
