// The program of a database thread: one SQLite connection at a time, statements in, rows out, in order.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { openConnection, type SqliteConnection } from './sqlite-connection.ts'

/** The first message, and the first after `close`. */
export type OpenRequest = { open: { file: string; readonly: boolean } }
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

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  let connection: SqliteConnection | null = null
  port.on('message', (request: OpenRequest | ThreadRequest | 'close') => {
    if (request === 'close') {
      connection?.close()
      connection = null
      port.postMessage('closed')
    } else if ('open' in request) {
      connection = openConnection(request.open)
    } else if (connection) {
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
