import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { HeldByAnother, type StoredDatabase, type StoredStatement } from './stored-database.ts'

export type Question = { url: string; statement: string; parameters?: unknown[] }
/** `results`: the rows of each statement. */
export type Answer = { results: Row[][] } | { code: string; message: string }
export type Row = Record<string, unknown>

/** The service holds locks for a shorter time, unless this thread blocks it. */
const lockTimeoutMs = 50
const heldByAnother = ['55P03', '40P01']

/** A PostgreSQL database with the API of better-sqlite3. A thread sends the query while this thread blocks. */
export function openStoredPostgres(url: string): StoredDatabase {
  const results = (statement: string, parameters?: unknown[]): Row[][] => {
    const answer = thread().ask({ url, statement, ...(parameters && { parameters }) })
    if ('results' in answer) return answer.results
    throw heldByAnother.includes(answer.code) ? new HeldByAnother() : new Error(answer.message)
  }
  const ask: Ask = (statement, parameters) => results(statement, parameters).at(-1) ?? []
  const column = (statement: string) => ask(statement).map((row) => Object.values(row)[0] as string)
  return {
    prepare: (statement) => prepared(ask, statement) as never,
    exec: (statements) => void ask(statements),
    transaction: (change) => {
      ask(`begin; set local lock_timeout = ${lockTimeoutMs}`)
      try {
        const changed = change()
        ask('commit')
        return changed
      } catch (error) {
        ask('rollback')
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

type Ask = (statement: string, parameters?: unknown[]) => Row[]

function prepared(ask: Ask, statement: string): StoredStatement<unknown> {
  const text = numbered(statement)
  const ofShape = (shape: (row: Row) => unknown): StoredStatement<unknown> => {
    const all = (...given: unknown[]) => ask(text, given.flat()).map(shape)
    return {
      all,
      get: (...given) => all(...given)[0],
      run: (...given) => {
        const isInsert = /^\s*insert/i.test(text)
        const [row] = ask(isInsert ? `${text} returning *` : text, given.flat())
        return { lastInsertRowid: Number(row?.id ?? 0) }
      },
      pluck: () => ofShape((row) => Object.values(row)[0]),
    }
  }
  return ofShape((row) => row)
}

/** Replaces each `?` outside quotes by $1, $2 and so on. */
export function numbered(statement: string): string {
  let count = 0
  return statement.replaceAll(/'(?:[^']|'')*'|"[^"]*"|\?/g, (found) => (found === '?' ? `$${++count}` : found))
}

let started: ReturnType<typeof startThread> | null = null

const thread = () => {
  started ??= startThread()
  return started
}

function startThread() {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2: itsPort } = new MessageChannel()
  const worker = new Worker(join(import.meta.dirname, 'stored-postgres-thread.ts'), {
    workerData: { port: itsPort, answered },
    transferList: [itsPort],
  })
  worker.unref()
  port.unref()
  return {
    ask(question: Question): Answer {
      port.postMessage(question)
      // The notification of the previous answer can wake this wait early, so the value is checked again.
      while (Atomics.load(answered, 0) === 0) Atomics.wait(answered, 0, 0)
      Atomics.store(answered, 0, 0)
      return receiveMessageOnPort(port)?.message
    },
  }
}
