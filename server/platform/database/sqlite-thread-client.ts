import { Worker } from 'node:worker_threads'
import type { ThreadReply, ThreadRequest } from './sqlite-thread.ts'

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
  #lastId = 0
  #isClosing = false

  constructor(file: string, options: { readonly: boolean }) {
    this.#worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
      workerData: { file, ...options },
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 256 },
    })
    this.#worker.on('message', (reply: ThreadReply) => {
      this.#waiting.get(reply.id)?.(reply)
      this.#waiting.delete(reply.id)
    })
    // A service that has lost its database thread can answer nothing: it ends, to be started again.
    this.#worker.on('error', (error) => {
      throw error
    })
    this.#worker.on('exit', () => {
      if (!this.#isClosing) throw new Error('A database thread has ended by itself')
    })
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
    this.#isClosing = true
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#worker.postMessage('close')
    await ended
  }
}
