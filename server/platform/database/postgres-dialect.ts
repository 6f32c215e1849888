import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  type PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { DatabaseError, type Pool, type PoolClient, type QueryResult as Result } from 'pg'
import { Histogram } from '../background/histogram.ts'
import { DatabaseUnavailable, OutcomeUnknown } from './opened-database.ts'
import { PostgresCompiler } from './postgres-compilers.ts'
import { isShortRead } from './short-read.ts'

type Pools = {
  /** Separate from reads, because transactions wait for each other and reads must not wait. */
  transactions: Pool
  reads: Pool
}

export class PostgresDriver implements Driver {
  /** How long the commits took. */
  readonly commits = new Histogram()
  readonly #pools: Pools

  constructor(pools: Pools) {
    this.#pools = pools
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#pools)
  }

  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    await connection.begin(settings)
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const startedAt = performance.now()
    await connection.commit()
    this.commits.observe((performance.now() - startedAt) / 1000)
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}

  async close(): Promise<void> {
    await Promise.all([this.#pools.transactions.end(), this.#pools.reads.end()])
  }
}

class Connection implements DatabaseConnection {
  readonly #pools: Pools
  #client: PoolClient | null = null
  /**
   * The `begin` statement that is not sent yet. If the first statement has no parameters, both are sent together, which
   * saves a round trip.
   */
  #pendingBegin: string | null = null
  #isBroken = false
  /** The last statement that was sent: concurrent statements of a transaction run one after another. */
  #lastSent: Promise<unknown> = Promise.resolve()

  constructor(pools: Pools) {
    this.#pools = pools
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const pool = accessMode === 'read only' ? this.#pools.reads : this.#pools.transactions
    this.#client = await pool.connect().catch(throwTranslated)
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean)
    this.#pendingBegin = ['begin', ...modes].join(' ')
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters.map(nanToNull)
    const result = this.#client
      ? await this.#sendInOrder(this.#client, sql, values)
      : await this.runStandalone(sql, values)
    return {
      rows: result.rows as Row[],
      ...(result.command !== 'SELECT' && { numAffectedRows: BigInt(result.rowCount ?? 0) }),
    }
  }

  /** Throws OutcomeUnknown when the connection is lost before the response. */
  async commit(): Promise<void> {
    const client = this.#client
    if (!client) throw new Error('The transaction has ended')
    const isEmpty = this.#pendingBegin !== null
    try {
      // After a failed statement, `commit` rolls the transaction back without an error.
      const { command } = isEmpty ? { command: 'COMMIT' } : await client.query('commit')
      if (command !== 'COMMIT') throw new Error('The transaction has failed')
    } catch (error) {
      this.#isBroken = isConnectionLost(error)
      if (!this.#isBroken) throw translatePostgresError(error)
      throw outcomeUnknown(error)
    } finally {
      this.#release()
    }
  }

  async rollback(): Promise<void> {
    const client = this.#client
    if (!client) return
    try {
      if (this.#pendingBegin === null && !this.#isBroken) await client.query('rollback')
    } catch {
      // The server rolls back a transaction whose connection is lost.
      this.#isBroken = true
    } finally {
      this.#release()
    }
  }

  #sendInOrder(client: PoolClient, sql: string, parameters: readonly unknown[]): Promise<Result> {
    const sent = this.#lastSent.then(() => this.#send(client, sql, parameters))
    this.#lastSent = sent.catch(() => undefined)
    return sent
  }

  async #send(client: PoolClient, sql: string, parameters: readonly unknown[]): Promise<Result> {
    const pendingBegin = this.#pendingBegin
    this.#pendingBegin = null
    try {
      if (pendingBegin !== null && parameters.length === 0) {
        const results = (await client.query(`${pendingBegin}; ${sql}`)) as unknown as Result[]
        return results.at(-1) as Result
      }
      if (pendingBegin !== null) await client.query(pendingBegin)
      return await client.query(sql, [...parameters])
    } catch (error) {
      this.#isBroken ||= isConnectionLost(error)
      throw translatePostgresError(error)
    }
  }

  async runStandalone(sql: string, parameters: readonly unknown[]): Promise<Result> {
    const client = await this.#pools.reads.connect().catch(throwTranslated)
    try {
      const name = getStatementName(sql)
      return await client.query({ ...(name && { name }), text: sql, values: [...parameters] })
    } catch (error) {
      this.#isBroken = isConnectionLost(error)
      const isOutcomeUnknown = this.#isBroken && !/^(select|with)/i.test(sql)
      throw isOutcomeUnknown ? outcomeUnknown(error) : translatePostgresError(error)
    } finally {
      client.release(this.#isBroken)
    }
  }

  #release(): void {
    this.#client?.release(this.#isBroken)
    this.#client = null
  }

  // biome-ignore lint/correctness/useYield: the contract of Kysely asks for a generator
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed; page through them')
  }
}

const statementNames = new Map<string, string>()
/** Each connection keeps the plans of all prepared statements. */
const maxStatementNames = 100

/** Returns the name of the prepared statement of a short read, undefined for other statements. */
function getStatementName(statement: string): string | undefined {
  const known = statementNames.get(statement)
  if (known || !isShortRead(statement) || statementNames.size >= maxStatementNames) return known
  const name = `proofroom_${statementNames.size}`
  statementNames.set(statement, name)
  return name
}

const outcomeUnknown = (cause: unknown): OutcomeUnknown =>
  new OutcomeUnknown('The connection was lost while a change was committed', { cause })

/** SQLite treats NaN as null, so PostgreSQL gets null instead of NaN. */
const nanToNull = (value: unknown): unknown => (Number.isNaN(value) ? null : value)

function throwTranslated(error: unknown): never {
  throw translatePostgresError(error)
}

export const postgresDialect = (driver: Driver, compiler: PostgresQueryCompiler = new PostgresCompiler()): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
})

/**
 * Temporary errors: lost connections, too many connections, shutdown and startup, a standby after a failover, timeouts,
 * serialization failures, deadlocks.
 */
const transientCodes = /^(08...|25P0[34]|57P0[1235]|57014|53300|25006|40001|40P01|55P03)$/

const networkCodes = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/

/** The client reports its own errors without a code. */
const clientMessages =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error)/

/** Returns DatabaseUnavailable for temporary errors, else the error itself. */
function translatePostgresError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const isTransient =
    error instanceof DatabaseError ? transientCodes.test(code) : networkCodes.test(code) || clientMessages.test(message)
  return isTransient ? new DatabaseUnavailable(`The database is unavailable: ${message}`, { cause: error }) : error
}

/** Returns whether the connection is lost, so that the outcome of the last statement is unknown. */
const isConnectionLost = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? /^(08|25P0[34]|57P)/.test(error.code ?? '')
    : translatePostgresError(error) instanceof DatabaseUnavailable
