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
import type { Histogram } from '../background/histogram.ts'
import { type DiskReserve, repeatWithReserve } from './disk-reserve.ts'
import { GroupCommit } from './group-commit.ts'
import { isQuick } from './short-read.ts'
import { openConnection, type SqliteConnection } from './sqlite-connection.ts'
import type { Statement, StatementResult } from './sqlite-thread.ts'
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

  /** The file must exist and be in WAL mode, as after the migrations in `open-sqlite.ts`. */
  constructor(file: string, reserve: DiskReserve | null = null) {
    this.#writer = new SqliteThread(file, { readonly: false })
    this.#reader = createOnDemandReader(file)
    this.#transactions = new GroupCommit(this.#writer, reserve)
    this.#lookups = openConnection({ file, readonly: true })
  }

  get commits(): Histogram {
    return this.#transactions.commits
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
    const { results } = await this.#writer.send([['pragma data_version', []]])
    const [row] = (results[0]?.rows ?? []) as { data_version: number }[]
    return row?.data_version
  }

  runInTransaction(statements: readonly Statement[]): Promise<StatementResult[]> {
    return this.#transactions.run(statements)
  }

  runStandalone(statement: Statement): Promise<StatementResult[]> {
    return repeatWithReserve(() => this.#runOnce(statement))
  }

  async #runOnce(statement: Statement): Promise<StatementResult[]> {
    await this.#transactions.begin()
    const results = await this.#transactions.run([statement]).catch(async (error) => {
      await this.#transactions.rollback()
      throw error
    })
    await this.#transactions.commit()
    return results
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    if (isQuick(sql)) return this.#lookups.run(sql, parameters).rows
    const { error, results } = await this.#reader.send([sql, parameters])
    if (error) throw new SqliteError(error.message, error.code)
    return results[0]?.rows ?? []
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
    const [result] = this.isInTransaction
      ? await this.#driver.runInTransaction([[sql, parameters]])
      : await this.#driver.runStandalone([sql, parameters])
    return { rows: (result?.rows ?? []) as Row[], numAffectedRows: BigInt(result?.changes ?? 0) }
  }

  /** For `runTogether`. Takes one message to the writer thread instead of one for each query. */
  async executeTogether(queries: readonly CompiledQuery[]): Promise<unknown[][]> {
    if (!this.isInTransaction) throw new Error('Only queries of a transaction run together')
    const results = await this.#driver.runInTransaction(queries.map(({ sql, parameters }) => [sql, parameters]))
    return results.map(({ rows }) => rows)
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
