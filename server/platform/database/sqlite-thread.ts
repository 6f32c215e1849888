// The program of a database thread: SQLite connections, each with a port on which statements come in and rows go out, in order.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { openConnection, type SqliteConnection } from './sqlite-connection.ts'

/** The connection takes requests on the port until it is asked to close; then it closes the port. */
export type OpenRequest = { file: string; readonly: boolean; port: MessagePort }
export type ThreadRequest = {
  id: number
  sql: string
  parameters: readonly unknown[]
  /** Carried out first, in this order; one that fails is answered in place of the statement. */
  before: readonly string[]
}
export type ThreadReply = {
  id: number
  rows?: unknown[]
  changes?: number
  error?: { message: string; code: string | undefined }
  /** False after an error that made SQLite roll the whole transaction back. */
  inTransaction: boolean
}

parentPort?.on('message', ({ port, ...opening }: OpenRequest) => serve(port, openConnection(opening)))

function serve(port: MessagePort, connection: SqliteConnection): void {
  port.on('message', (request: ThreadRequest | 'close') => {
    if (request === 'close') {
      connection.close()
      port.close()
    } else {
      port.postMessage(answer(connection, request))
    }
  })
}

function answer(connection: SqliteConnection, { id, sql, parameters, before }: ThreadRequest): ThreadReply {
  try {
    for (const one of before) connection.run(one, [])
    const { rows, changes } = connection.run(sql, parameters)
    return { id, rows, changes, inTransaction: connection.inTransaction() }
  } catch (cause) {
    const { message, code } = cause as Error & { code?: string }
    return { id, error: { message, code }, inTransaction: connection.inTransaction() }
  }
}
