import { once } from 'node:events'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
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
  readonly #port: MessagePort
  readonly #waiting = new Map<number, (reply: ThreadReply) => void>()
  #lastId = 0

  constructor(file: string, options: { readonly: boolean }) {
    const { port1, port2 } = new MessageChannel()
    this.#worker = takeThread().on('error', failService).on('exit', endedByItself)
    this.#port = port1.on('message', (reply: ThreadReply) => this.#settle(reply))
    this.#worker.postMessage({ file, ...options, port: port2 } satisfies OpenRequest, [port2])
  }

  /** Errors of SQLite come as a reply with `error`. `before` goes along, since waking a thread costs more than a statement. */
  send(sql: string, parameters: readonly unknown[] = [], before: readonly string[] = []): Promise<ThreadReply> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#port.postMessage({ id, sql, parameters, before } satisfies ThreadRequest)
    })
  }

  /** What was sent before is still answered. */
  async close(): Promise<void> {
    this.#port.postMessage('close')
    await once(this.#port, 'close')
    this.#worker.off('error', failService).off('exit', endedByItself)
    await giveBackThread(this.#worker)
  }

  #settle(reply: ThreadReply): void {
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
