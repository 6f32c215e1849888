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

type Waiting = { resolve: (reply: ThreadReply) => void; reject: (error: Error) => void }

/** A SQLite connection on a thread of its own. Statements are carried out in the order they were sent. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor(file: string, options: { readonly: boolean }) {
    this.#worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
      workerData: { file, ...options },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256, stackSizeMb: 2 },
    })
    this.#worker.on('message', (reply: ThreadReply) => {
      this.#waiting.get(reply.id)?.resolve(reply)
      this.#waiting.delete(reply.id)
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('The database thread has ended')))
  }

  /** Answers errors of SQLite as a reply with `error`; rejects only when the thread itself is lost. */
  send(sql: string, parameters: readonly unknown[] = []): Promise<ThreadReply> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, sql, parameters } satisfies ThreadRequest)
    })
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#worker.postMessage('close')
    await ended
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
