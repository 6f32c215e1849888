import type { Worker } from 'node:worker_threads'
import type { OpenRequest, ThreadReply, ThreadRequest } from './sqlite-thread.ts'
import { giveBackThread, takeThread } from './sqlite-threads.ts'

/** An error that SQLite reported, with its stable code such as `SQLITE_CONSTRAINT_UNIQUE`. */
export class SqliteError extends Error {
  readonly code: string | undefined
  constructor(message: string, code: string | undefined) {
    super(message)
    this.name = 'SqliteError'
    this.code = code
  }
}

/** A SQLite connection on a thread of its own. Statements are carried out in the order they were sent. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, (reply: ThreadReply) => void>()
  readonly #closed = Promise.withResolvers<void>()
  #lastId = 0

  constructor(file: string, options: { readonly: boolean }) {
    this.#worker = takeThread()
    this.#worker.on('message', this.#hear).on('error', failService).on('exit', endedByItself)
    this.#worker.postMessage({ open: { file, ...options } } satisfies OpenRequest)
  }

  /** Errors of SQLite come as a reply with `error`. `before` goes along, since waking a thread costs more than a statement. */
  send(sql: string, parameters: readonly unknown[] = [], before: readonly string[] = []): Promise<ThreadReply> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ id, sql, parameters, before } satisfies ThreadRequest)
    })
  }

  async close(): Promise<void> {
    this.#worker.postMessage('close')
    await this.#closed.promise
    this.#worker.off('message', this.#hear).off('error', failService).off('exit', endedByItself)
    await giveBackThread(this.#worker)
  }

  readonly #hear = (reply: ThreadReply | 'closed'): void => {
    if (reply === 'closed') {
      this.#closed.resolve()
      return
    }
    this.#waiting.get(reply.id)?.(reply)
    this.#waiting.delete(reply.id)
  }
}

// A service that has lost its database thread can answer nothing: it ends, to be started again.
function failService(error: Error): never {
  throw error
}
function endedByItself(): never {
  throw new Error('A database thread has ended by itself')
}
