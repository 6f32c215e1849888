import { constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { getMovedMark } from '../../create-app-context.ts'
import { migrations } from '../../migrations/migrations.ts'
import type { Config } from '../../platform/configuration/config.ts'
import { runningNodes } from '../../platform/database/running-nodes.ts'
import { canUse } from '../../platform/process/data-owner.ts'
import { t } from '../../platform/text/command-messages.ts'
import { isDiskError } from '../command-errors.ts'
import { type EnteredValues, nothingEntered, readEnteredValues } from './entered-values.ts'
import { describeError, error, type Finding, ok, warning } from './finding.ts'

/** The time of another machine, measured between two moments of this one. */
export type ClockSample = { of: string; time: number; before: number; after: number }

/**
 * `entered` is null if the database cannot be read. `nodes` is the number of services that use a database of PostgreSQL;
 * null if it is not known.
 */
type Checked = {
  finding: Finding
  sample: ClockSample | null
  entered: EnteredValues | null
  nodes: number | null
}

const known = Object.keys(migrations)

/** Reads the names of the migrations and the entered values. Creates nothing, and migrates nothing. */
export const checkDatabase = ({ databaseUrl, dataDir }: Config): Promise<Checked> =>
  databaseUrl === null ? checkSqlite(join(dataDir, 'proofroom.db')) : checkPostgres(databaseUrl, dataDir)

async function checkSqlite(file: string): Promise<Checked> {
  if (!existsSync(file)) {
    const finding = ok('checkDatabase', t('databaseMissing', { file }))
    return { finding, sample: null, nodes: null, entered: nothingEntered }
  }
  const { default: Sqlite } = await import('better-sqlite3')
  try {
    // Without a log, SQLite would create one for a reader and leave it behind. A writer removes it again.
    const sqlite = new Sqlite(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true, timeout: 5000 })
    try {
      const table = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
      const readNames = () =>
        sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
      const applied = table === undefined ? [] : readNames()
      const entered = await readEnteredValues(applied, async (sql) => sqlite.prepare(sql).all())
      const finding = existsSync(getMovedMark(file)) ? moved(file) : describeSchema(t('sqliteIn', { file }), applied)
      return { finding, sample: null, nodes: null, entered }
    } finally {
      sqlite.close()
    }
  } catch (cause) {
    const isUsable = canUse(file, constants.R_OK | constants.W_OK)
    const { code = '' } = cause as { code?: string }
    const repair = isDiskError(code) ? 'diskCure' : 'restoreFix'
    const text = t('databaseUnopenable', { file, problem: describeError(cause) })
    const finding = error('checkDatabase', text, t(isUsable ? repair : 'databaseOfOtherFix'))
    return { finding, sample: null, nodes: null, entered: null }
  }
}

async function checkPostgres(connectionString: string, dataDir: string): Promise<Checked> {
  const { default: pg } = await import('pg')
  const options = { connectionString, connectionTimeoutMillis: 5000, query_timeout: 5000 }
  const client = new pg.Client({ ...options, application_name: 'proofroom doctor' })
  // An error after the connection is also that of the query.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const before = Date.now()
    const { rows } = await client.query(
      `select extract(epoch from clock_timestamp()) * 1000 as time, current_setting('server_version') as version,
        to_regclass('kysely_migration') as "table", ${runningNodes} as nodes`,
    )
    const [{ time, version, table, nodes }] = rows as [
      { time: string; version: string; table: string | null; nodes: string },
    ]
    const sample = { of: t('clockOfDatabase'), time: Number(time), before, after: Date.now() }
    const names = table === null ? [] : (await client.query('select name from kysely_migration')).rows
    const applied = names.map(({ name }: { name: string }) => name)
    const entered = await readEnteredValues(applied, async (sql) => (await client.query(sql)).rows)
    const isNotMoved = applied.length === 0 && existsSync(join(dataDir, 'proofroom.db'))
    const finding = isNotMoved ? notMoved(version, dataDir) : describeSchema(`PostgreSQL ${version}`, applied)
    return { finding, sample, entered, nodes: Number(nodes) }
  } catch (cause) {
    const text = t('postgresUnusable', { problem: describeError(cause) })
    const finding = error('checkDatabase', text, t('postgresUnusableFix'))
    return { finding, sample: null, nodes: null, entered: null }
  } finally {
    await client.end().catch(() => undefined)
  }
}

const moved = (file: string): Finding => error('checkDatabase', t('databaseMoved', { file }), t('databaseMovedFix'))

const notMoved = (version: string, dataDir: string): Finding =>
  error('checkDatabase', t('databaseNotMoved', { version, dataDir }), t('databaseNotMovedFix'))

function describeSchema(database: string, applied: string[]): Finding {
  if (applied.length === 0) return ok('checkDatabase', t('databaseEmpty', { database }))
  const newer = applied.filter((name) => !known.includes(name)).sort()
  if (newer.length > 0) {
    const text = t('databaseNewer', { database, migration: newer.at(-1) ?? '' })
    return error('checkDatabase', text, t('databaseNewerFix'))
  }
  const missing = known.length - applied.length
  if (missing === 0) return ok('checkDatabase', t('databaseCurrent', { database, count: known.length }))
  return warning('checkDatabase', t('databaseBehind', { database, count: missing }), t('databaseBehindFix'))
}
