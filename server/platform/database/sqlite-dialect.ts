import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { GroupCommit } from './group-commit.ts'
import { createKeyLookups } from './key-lookups.ts'
import { isShortRead } from './short-read.ts'
import { openConnection, type SqliteConnection } from './sqlite-connection.ts'
import { createOnDemandReader, SqliteError, SqliteThread } from './sqlite-thread-client.ts'

/**
 * A Kysely driver for SQLite in which reads outside of transactions never wait for the fsync of a commit. It has a
 * writer thread, a reader thread for lists and searches, and a read-only connection on the main thread for look-ups by
 * key and short reads.
 */
export class ThreadedSqliteDriver implements Driver {
  readonly #writer: SqliteThread
  readonly #reader: ReturnType<typeof createOnDemandReader>
  readonly #transactions: GroupCommit
  readonly #lookups: SqliteConnection
  readonly #plans: ReturnType<typeof createKeyLookups>

  /** The file must exist and be in WAL mode, as after the migrations in `open-sqlite.ts`. */
  constructor(file: string) {
    this.#writer = new SqliteThread(file, { readonly: false })
    this.#reader = createOnDemandReader(file)
    this.#transactions = new GroupCommit(this.#writer)
    this.#lookups = openConnection({ file, readonly: true })
    this.#plans = createKeyLookups(this.#lookups)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this)
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await this.#transactions.begin()
    connection.isInTransaction = true
  }

  async commitTransaction(connection: Connection): Promise<void> {
    connection.isInTransaction = false
    await this.#transactions.commit()
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    if (!connection.isInTransaction) return
    connection.isInTransaction = false
    await this.#transactions.rollback()
  }

  async releaseConnection(): Promise<void> {}

  /** Does nothing, because Kysely calls it only if a query was run. `close` ends the threads. */
  async destroy(): Promise<void> {}

  async close(): Promise<void> {
    this.#lookups.close()
    await this.#reader.close()
    await this.#writer.close()
  }

  /** Returns a value that changes when another process has committed. */
  async readDataVersion(): Promise<unknown> {
    const { rows } = await this.#writer.send('pragma data_version')
    return (rows as [{ data_version: number }])[0].data_version
  }

  async runInTransaction(sql: string, parameters: readonly unknown[]) {
    return this.#transactions.run(sql, parameters)
  }

  async runStandalone(sql: string, parameters: readonly unknown[]) {
    await this.#transactions.begin()
    const reply = await this.#transactions.run(sql, parameters).catch(async (error) => {
      await this.#transactions.rollback()
      throw error
    })
    await this.#transactions.commit()
    return reply
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    if (isShortRead(sql) || this.#plans.isKeyLookup(sql)) return this.#lookups.run(sql, parameters).rows
    const reply = await this.#reader.send(sql, parameters)
    if (reply.error) throw new SqliteError(reply.error.message, reply.error.code)
    return reply.rows ?? []
  }
}

class Connection implements DatabaseConnection {
  readonly #driver: ThreadedSqliteDriver
  isInTransaction = false

  constructor(driver: ThreadedSqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.isInTransaction && query.kind === 'SelectQueryNode') {
      return { rows: (await this.#driver.read(sql, parameters)) as Row[] }
    }
    const reply = this.isInTransaction
      ? await this.#driver.runInTransaction(sql, parameters)
      : await this.#driver.runStandalone(sql, parameters)
    return { rows: (reply.rows ?? []) as Row[], numAffectedRows: BigInt(reply.changes ?? 0) }
  }

  // biome-ignore lint/correctness/useYield: the contract of Kysely asks for a generator
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed; page through them')
  }
}

/** Kysely's own adapter allows one connection at a time, so that every read would wait for every commit. */
class ThreadedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export const sqliteDialect = (driver: ThreadedSqliteDriver): Dialect => ({
  createAdapter: () => new ThreadedSqliteAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
