import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { childEnvironment } from '../process/child-environment.ts'
import type { OpenRequest, Statement, ThreadReply, ThreadRequest } from './sqlite-thread.ts'

/** `code` is an error code of SQLite, such as `SQLITE_CONSTRAINT_UNIQUE`. */
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

  /** Resolves even for SQLite errors, which the reply contains. `precedingSql` runs first, in the same message. */
  send(statements: readonly Statement[], precedingSql: readonly string[] = []): Promise<ThreadReply> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#pendingReplies.set(id, resolve)
      this.#port.postMessage({ id, statements, precedingSql } satisfies ThreadRequest)
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

// The service cannot work without its database threads, so these errors end the process.
function throwThreadError(error: Error): never {
  throw error
}
function throwUnexpectedExit(): never {
  throw new Error('A database thread ended unexpectedly')
}

const idleTimeoutMs = 20_000

/** A reader thread that starts with the first query and ends when idle, to free its memory. */
export function createOnDemandReader(file: string) {
  let thread: SqliteThread | null = null
  let idleTimer: NodeJS.Timeout | null = null

  /** Queries that were sent before still get their reply. */
  async function close(): Promise<void> {
    const ending = thread
    thread = null
    await ending?.close()
  }

  function send(statement: Statement): Promise<ThreadReply> {
    thread ??= new SqliteThread(file, { readonly: true })
    idleTimer ??= setTimeout(() => void close(), idleTimeoutMs).unref()
    idleTimer.refresh()
    return thread.send([statement])
  }

  return { send, close }
}

const idleThreads: Worker[] = []
let maxIdleThreads = 0

/** Keeps up to `max` threads for reuse. Only tests use this, because they open hundreds of databases. */
export function setMaxIdleThreads(max: number): void {
  maxIdleThreads = max
}

export function acquireThread(): Worker {
  const thread = idleThreads.pop() ?? startThread()
  thread.ref()
  return thread
}

/** Ends a thread whose connection is closed, or keeps it for reuse. An idle thread does not keep the process alive. */
export async function releaseThread(thread: Worker): Promise<void> {
  if (idleThreads.length >= maxIdleThreads) {
    await thread.terminate()
    return
  }
  thread.unref()
  idleThreads.push(thread)
}

const startThread = (): Worker =>
  new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    env: childEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 256 },
  })
