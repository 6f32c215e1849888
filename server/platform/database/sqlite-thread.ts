// The entry point of a database thread: each port serves one SQLite connection, in the order of the requests.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { openConnection, type SqliteConnection } from './sqlite-connection.ts'

export type OpenRequest = { file: string; readonly: boolean; port: MessagePort }
/** A statement and the values of its parameters. */
export type Statement = readonly [sql: string, parameters: readonly unknown[]]
export type StatementResult = ReturnType<SqliteConnection['run']>
export type ThreadRequest = {
  id: number
  statements: readonly Statement[]
  /** Statements that run first, in this order. Their results are not returned. */
  precedingSql: readonly string[]
}
export type ThreadReply = {
  id: number
  /** The results of all statements until the first error. */
  results: StatementResult[]
  error?: { message: string; code: string | undefined }
  /** Whether a transaction is open. False after an error that made SQLite roll back the whole transaction. */
  inTransaction: boolean
}

parentPort?.on('message', ({ port, ...options }: OpenRequest) => serve(port, openConnection(options)))

function serve(port: MessagePort, connection: SqliteConnection): void {
  port.on('message', (request: ThreadRequest | 'close') => {
    if (request === 'close') {
      connection.close()
      port.close()
    } else {
      port.postMessage(executeRequest(connection, request))
    }
  })
}

/** Stops at the first error: after it, a statement could run outside of its transaction. */
function executeRequest(connection: SqliteConnection, { id, statements, precedingSql }: ThreadRequest): ThreadReply {
  const results: StatementResult[] = []
  try {
    for (const one of precedingSql) connection.run(one, [])
    for (const [sql, parameters] of statements) results.push(connection.run(sql, parameters))
    return { id, results, inTransaction: connection.inTransaction() }
  } catch (cause) {
    const { message, code } = cause as Error & { code?: string }
    return { id, results, error: { message, code }, inTransaction: connection.inTransaction() }
  }
}
