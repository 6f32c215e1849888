import { randomBytes } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg, { type PoolConfig } from 'pg'
import { ConfigProblems } from '../config.ts'
import { assertSchemaVersion } from './assert-schema-version.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import type { OpenDatabase } from './open-database.ts'
import { PostgresDriver, postgresDialect } from './postgres-dialect.ts'
import { PostgresListener } from './postgres-listener.ts'
import { MigrationCompiler } from './postgres-migrations.ts'
import type { Tables } from './tables.ts'

/** Transactions hold a connection while they wait for their lock; those of one node hold at most these. */
const transactionConnections = 8
const readConnections = 8

/**
 * What a session is given. Nothing waits for ever: not for a connection, a lock, or a statement; and a node that has
 * gone silent in the middle of a transaction does not keep the others waiting.
 */
const sessionSettings = [
  'statement_timeout=20s',
  'lock_timeout=10s',
  'idle_in_transaction_session_timeout=20s',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=3',
  'tcp_keepalives_count=3',
  'timezone=UTC',
]

/** Opens a PostgreSQL database, which must exist, and brings it to the newest migration. */
export async function openPostgresDatabase(url: string, migrations: Record<string, Migration>): Promise<OpenDatabase> {
  await migrate(url, migrations).catch(asStartProblem)
  const node = randomBytes(6).toString('hex')
  const options = optionsOf([...sessionSettings, `proofroom.node=${node}`])
  const driver = new PostgresDriver({
    transactions: openPool(url, { max: transactionConnections, options }),
    reads: openPool(url, { max: readConnections, options }),
  })
  const listener = new PostgresListener(url, node)
  return {
    kind: 'postgres',
    db: new Kysely<Tables>({ dialect: postgresDialect(driver) }),
    node,
    follow: (changes, log) => listener.follow(changes, log),
    alone: (name, work) => listener.alone(name, work),
    async close() {
      await listener.close()
      await driver.close()
    },
  }
}

const optionsOf = (settings: readonly string[]): string => settings.map((setting) => `-c ${setting}`).join(' ')

export function openPool(connectionString: string, config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    query_timeout: 25_000,
    keepAlive: true,
    application_name: 'proofroom',
    options: optionsOf(sessionSettings),
    types: { getTypeParser },
    ...config,
  })
  // A connection that is lost is replaced by the next that is needed; whoever was using it is told by its statement.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const { builtins } = pg.types

/** Whole numbers as numbers, never as text, and booleans as 0 and 1: both databases answer alike. */
const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: Number,
  [builtins.NUMERIC]: Number,
  [builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
}

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) =>
  (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid as never, format as never)

/** All in one transaction, as on SQLite; nodes that start together wait for the first one. */
async function migrate(url: string, migrations: Record<string, Migration>): Promise<void> {
  const pool = openPool(url, { max: 2, query_timeout: 0, options: '-c timezone=UTC' })
  const driver = new PostgresDriver({ transactions: pool, reads: pool })
  const db = new Kysely<unknown>({ dialect: postgresDialect(driver, new MigrationCompiler()) })
  try {
    const done = await namesOf(db)
    assertSchemaVersion(done, Object.keys(migrations))
    if (done.length === Object.keys(migrations).length) return
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } finally {
    await pool.end()
  }
}

/** What the address is to blame for stops the start with one line: no such server, database, account or password. */
function asStartProblem(error: unknown): never {
  const isOfAddress =
    error instanceof DatabaseUnavailable || /^(28|3D|42501)/.test((error as { code?: string }).code ?? '')
  const { message } = error as Error
  throw isOfAddress ? new ConfigProblems([`DATABASE_URL leads to no database that can be used: ${message}`]) : error
}

/** Of the migrations that the database has been through. */
async function namesOf(db: Kysely<unknown>): Promise<string[]> {
  const { rows: tables } = await sql`select to_regclass('kysely_migration') as "table"`.execute(db)
  if ((tables as Array<{ table: string | null }>)[0]?.table === null) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}
