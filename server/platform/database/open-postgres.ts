import { randomBytes } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg, { type PoolConfig } from 'pg'
import { ConfigProblems } from '../configuration/config.ts'
import {
  assertSchemaVersion,
  DatabaseUnavailable,
  migratorOptions,
  type OpenDatabase,
  type SchemaOptions,
} from './opened-database.ts'
import { MigrationCompiler } from './postgres-compilers.ts'
import { PostgresDriver, postgresDialect } from './postgres-dialect.ts'
import { PostgresListener } from './postgres-listener.ts'
import type { Tables } from './tables.ts'

/** Maximum per node. A transaction holds its connection while it waits for a lock. */
const transactionConnections = 8
const readConnections = 8

/** Every wait has a timeout, and the server ends the transaction of a node that is silent. */
const sessionSettings = [
  'statement_timeout=20s',
  'lock_timeout=10s',
  'idle_in_transaction_session_timeout=20s',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=3',
  'tcp_keepalives_count=3',
  'timezone=UTC',
]

export async function openPostgresDatabase(
  url: string,
  migrations: Record<string, Migration>,
  options: SchemaOptions = {},
): Promise<OpenDatabase> {
  await migrate(url, migrations, options).catch(throwAsConfigProblem)
  const node = randomBytes(6).toString('hex')
  const session = formatOptions([...sessionSettings, `proofroom.node=${node}`])
  const driver = new PostgresDriver({
    transactions: openPool(url, { max: transactionConnections, options: session }),
    reads: openPool(url, { max: readConnections, options: session }),
  })
  const listener = new PostgresListener(url, node)
  return {
    kind: 'postgres',
    db: new Kysely<Tables>({ dialect: postgresDialect(driver) }),
    node,
    commits: driver.commits,
    reserve: null,
    ensureSpaceForGuest: async () => undefined,
    follow: (changes, log) => listener.follow(changes, log),
    runExclusively: (name, work) => listener.runExclusively(name, work),
    async close() {
      await listener.close()
      await driver.close()
    },
  }
}

const formatOptions = (settings: readonly string[]): string => settings.map((setting) => `-c ${setting}`).join(' ')

export function openPool(connectionString: string, config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    query_timeout: 25_000,
    keepAlive: true,
    application_name: 'proofroom',
    options: formatOptions(sessionSettings),
    types: { getTypeParser },
    ...config,
  })
  // The pool replaces a lost connection. The statement that was using the connection rejects with the error.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const { builtins } = pg.types

/** Integers and decimals become numbers and booleans become 0 and 1, as with SQLite. */
const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: Number,
  [builtins.NUMERIC]: Number,
  [builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
}

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) =>
  (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid as never, format as never)

/** All migrations run in one transaction. Nodes that start at the same time wait for the first node. */
async function migrate(url: string, migrations: Record<string, Migration>, options: SchemaOptions): Promise<void> {
  const pool = openPool(url, { max: 2, query_timeout: 0, options: '-c timezone=UTC' })
  const driver = new PostgresDriver({ transactions: pool, reads: pool })
  const db = new Kysely<unknown>({ dialect: postgresDialect(driver, new MigrationCompiler()) })
  try {
    const done = await readMigrationNames(db)
    assertSchemaVersion(done, Object.keys(migrations), options)
    if (done.length === Object.keys(migrations).length) return
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, ...migratorOptions })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } finally {
    await pool.end()
  }
}

/** Throws ConfigProblems for an unavailable server, unknown database, wrong password or missing right, else `error`. */
function throwAsConfigProblem(error: unknown): never {
  const isConfigError =
    error instanceof DatabaseUnavailable || /^(28|3D|42501)/.test((error as { code?: string }).code ?? '')
  const { message } = error as Error
  throw isConfigError ? new ConfigProblems([`DATABASE_URL names a database that cannot be used: ${message}`]) : error
}

async function readMigrationNames(db: Kysely<unknown>): Promise<string[]> {
  const { rows: tables } = await sql`select to_regclass('kysely_migration') as "table"`.execute(db)
  if ((tables as Array<{ table: string | null }>)[0]?.table === null) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}
