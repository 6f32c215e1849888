import { once } from 'node:events'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import type { OpenRequest, ThreadReply, ThreadRequest } from './sqlite-thread.ts'
import { acquireThread, releaseThread } from './sqlite-threads.ts'

/** `code` is stable, such as `SQLITE_CONSTRAINT_UNIQUE`. */
export class SqliteError extends Error {
  readonly code: string | undefined
  constructor(message: string, code: string | undefined) {
    super(message)
    this.name = 'SqliteError'
    this.code = code
  }
}

/** A SQLite connection on its own thread. Statements run in the order in which they are sent. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #pendingReplies = new Map<number, (reply: ThreadReply) => void>()
  #lastId = 0

  constructor(file: string, options: { readonly: boolean }) {
    const { port1, port2 } = new MessageChannel()
    this.#worker = acquireThread().on('error', throwThreadError).on('exit', throwUnexpectedExit)
    this.#port = port1.on('message', (reply: ThreadReply) => this.#settle(reply))
    this.#worker.postMessage({ file, ...options, port: port2 } satisfies OpenRequest, [port2])
  }

  /**
   * Resolves also for SQLite errors, with `error` set. `precedingSql` is sent along because a message costs more than a
   * statement.
   */
  send(sql: string, parameters: readonly unknown[] = [], precedingSql: readonly string[] = []): Promise<ThreadReply> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#pendingReplies.set(id, resolve)
      this.#port.postMessage({ id, sql, parameters, precedingSql } satisfies ThreadRequest)
    })
  }

  /** Statements that were sent before still get their reply. */
  async close(): Promise<void> {
    this.#port.postMessage('close')
    await once(this.#port, 'close')
    this.#worker.off('error', throwThreadError).off('exit', throwUnexpectedExit)
    await releaseThread(this.#worker)
  }

  #settle(reply: ThreadReply): void {
    this.#pendingReplies.get(reply.id)?.(reply)
    this.#pendingReplies.delete(reply.id)
  }
}

// The service cannot work without its database threads, so the process ends and is restarted.
function throwThreadError(error: Error): never {
  throw error
}
function throwUnexpectedExit(): never {
  throw new Error('A database thread has ended by itself')
}
