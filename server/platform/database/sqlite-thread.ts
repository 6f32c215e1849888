// The entry point of a database thread: each port serves one SQLite connection, in the order of the requests.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { openConnection, type SqliteConnection } from './sqlite-connection.ts'

export type OpenRequest = { file: string; readonly: boolean; port: MessagePort }
export type ThreadRequest = {
  id: number
  sql: string
  parameters: readonly unknown[]
  /** Statements that run first, in this order. An error of one of them replaces the result. */
  precedingSql: readonly string[]
}
export type ThreadReply = {
  id: number
  rows?: unknown[]
  changes?: number
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

function executeRequest(
  connection: SqliteConnection,
  { id, sql, parameters, precedingSql }: ThreadRequest,
): ThreadReply {
  try {
    for (const one of precedingSql) connection.run(one, [])
    const { rows, changes } = connection.run(sql, parameters)
    return { id, rows, changes, inTransaction: connection.inTransaction() }
  } catch (cause) {
    const { message, code } = cause as Error & { code?: string }
    return { id, error: { message, code }, inTransaction: connection.inTransaction() }
  }
}
