import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { LockedError, type StoredDatabase, type StoredStatement } from './stored-database.ts'

export type QueryRequest = { url: string; statement: string; parameters?: unknown[] }
/** `results`: the rows of each statement. */
export type QueryResult = { results: Row[][] } | { code: string; message: string }
export type Row = Record<string, unknown>

/** Longer than the service holds a lock, except while the test blocks the thread on which both run. */
const lockTimeoutMs = 50
const lockErrorCodes = ['55P03', '40P01']

/**
 * Opens a PostgreSQL database with the API of better-sqlite3. Another thread runs the query while this thread waits.
 */
export function openStoredPostgres(url: string): StoredDatabase {
  const results = (statement: string, parameters?: unknown[]): Row[][] => {
    const response = thread().runQuery({ url, statement, ...(parameters && { parameters }) })
    if ('results' in response) return response.results
    throw lockErrorCodes.includes(response.code) ? new LockedError() : new Error(response.message)
  }
  const runQuery: RunQuery = (statement, parameters) => results(statement, parameters).at(-1) ?? []
  const column = (statement: string) => runQuery(statement).map((row) => Object.values(row)[0] as string)
  return {
    prepare: (statement) => prepareStatement(runQuery, statement) as never,
    exec: (statements) => void runQuery(statements),
    transaction: (change) => {
      runQuery(`begin; set local lock_timeout = ${lockTimeoutMs}`)
      try {
        const changed = change()
        runQuery('commit')
        return changed
      } catch (error) {
        runQuery('rollback')
        throw error
      }
    },
    tables: () => column("select tablename from pg_tables where schemaname = 'public'"),
    columns: (table) =>
      column(`select column_name from information_schema.columns
        where table_schema = 'public' and table_name = '${table}' order by ordinal_position`),
    contents: (tables) => results(tables.map((table) => `select * from "${table}"`).join(';')),
    close: () => undefined,
  }
}

type RunQuery = (statement: string, parameters?: unknown[]) => Row[]

function prepareStatement(runQuery: RunQuery, statement: string): StoredStatement<unknown> {
  const text = numberParameters(statement)
  const createStatement = (shape: (row: Row) => unknown): StoredStatement<unknown> => {
    const all = (...given: unknown[]) => runQuery(text, given.flat()).map(shape)
    return {
      all,
      get: (...given) => all(...given)[0],
      run: (...given) => {
        const isInsert = /^\s*insert/i.test(text)
        const [row] = runQuery(isInsert ? `${text} returning *` : text, given.flat())
        return { lastInsertRowid: Number(row?.id ?? 0) }
      },
      pluck: () => createStatement((row) => Object.values(row)[0]),
    }
  }
  return createStatement((row) => row)
}

/** Replaces each `?` outside quotes by $1, $2 and so on. */
export function numberParameters(statement: string): string {
  let count = 0
  return statement.replaceAll(/'(?:[^']|'')*'|"[^"]*"|\?/g, (found) => (found === '?' ? `$${++count}` : found))
}

let started: ReturnType<typeof startThread> | null = null

const thread = () => {
  started ??= startThread()
  return started
}

function startThread() {
  const isDone = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2: workerPort } = new MessageChannel()
  const worker = new Worker(join(import.meta.dirname, 'stored-postgres-thread.ts'), {
    workerData: { port: workerPort, isDone },
    transferList: [workerPort],
  })
  worker.unref()
  port.unref()
  return {
    runQuery(question: QueryRequest): QueryResult {
      port.postMessage(question)
      // The notification of the previous response can end this wait early, so the value is checked again.
      while (Atomics.load(isDone, 0) === 0) Atomics.wait(isDone, 0, 0)
      Atomics.store(isDone, 0, 0)
      return receiveMessageOnPort(port)?.message
    },
  }
}
