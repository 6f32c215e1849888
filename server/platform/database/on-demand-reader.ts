import type { ThreadReply } from './sqlite-thread.ts'
import { SqliteThread } from './sqlite-thread-client.ts'

const idleTimeoutMs = 20_000

/** A reader thread that starts with the first query and ends when idle, to free its memory. */
export class OnDemandReader {
  readonly #file: string
  #thread: SqliteThread | null = null
  #idleTimer: NodeJS.Timeout | null = null

  constructor(file: string) {
    this.#file = file
  }

  send(sql: string, parameters: readonly unknown[]): Promise<ThreadReply> {
    this.#thread ??= new SqliteThread(this.#file, { readonly: true })
    this.#idleTimer ??= setTimeout(() => void this.close(), idleTimeoutMs).unref()
    this.#idleTimer.refresh()
    return this.#thread.send(sql, parameters)
  }

  /** Queries that were sent before still get their reply. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.close()
  }
}
