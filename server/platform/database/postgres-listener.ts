import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ChangedKey, Changes, OtherNodes, Topic } from '../background/changes.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { ListeningSession } from './listening-session.ts'

const beatEveryMs = 150
/** Caches are valid for this long after the last successful ping was sent. */
const trustedForMs = 300
const retryEveryMs = 250
const batchDelayMs = 20
const waitForSessionMs = 5_000

/** Operations send these notifications; triggers send all others, see the migration `0022-nodes`. */
const topicsSentByOperations = new Set<Topic>(['live'])

/**
 * The connection of this node to the other nodes on the same database. The database itself sends the notifications
 * within the transaction, so neither a crash nor a forgotten call can leave stale caches.
 */
export class PostgresListener implements OtherNodes {
  readonly #url: string
  readonly #node: string
  readonly #closing = new AbortController()
  readonly #waiting = new Set<string>()
  readonly #atWork = new Set<string>()
  #newest: ListeningSession | null = null
  #session: ListeningSession | null = null
  #onSession = Promise.withResolvers<ListeningSession>()
  #provenAt = Number.NEGATIVE_INFINITY
  #listening: Promise<void> = Promise.resolve()
  #notifying: Promise<void> | null = null

  constructor(url: string, node: string) {
    this.#url = url
    this.#node = node
  }

  follow(changes: Changes, log: FastifyBaseLogger): void {
    changes.join(this)
    this.#listening = this.#listen(changes, log)
  }

  areConnected(): boolean {
    return this.#session !== null && performance.now() - this.#provenAt < trustedForMs
  }

  /** Sends notifications in batches, because each one in PostgreSQL waits for the commits of all others. */
  tell(topic: Topic, key: ChangedKey): void {
    if (!topicsSentByOperations.has(topic)) return
    this.#waiting.add([this.#node, topic, ...(key === null ? [] : [key])].join(' '))
    this.#notifying ??= this.#sendPending().finally(() => {
      this.#notifying = null
    })
  }

  /** See `OpenDatabase`. A node that loses its connection loses its locks, but work that has started continues. */
  async alone(name: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#atWork.has(name)) return false
    this.#atWork.add(name)
    try {
      const session = await this.#getSession()
      if (!(await session.lock(name).catch(unavailable))) return false
      await work().finally(() => session.unlock(name).catch(() => session.cut()))
      return true
    } finally {
      this.#atWork.delete(name)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#newest?.cut()
    await this.#listening
  }

  async #listen(changes: Changes, log: FastifyBaseLogger): Promise<void> {
    const { signal } = this.#closing
    let isWarned = false
    while (!signal.aborted) {
      const session = new ListeningSession(this.#url, this.#node, (word) => this.#receive(changes, word))
      this.#newest = session
      try {
        const askedAt = performance.now()
        await session.open()
        // Caches may be stale after the time without a connection.
        changes.notifyAll()
        this.#begin(session, askedAt)
        if (isWarned) log.info('What other nodes change is heard again')
        isWarned = false
        await this.#beat(session)
      } catch (err) {
        if (!isWarned && !signal.aborted)
          log.warn({ err }, 'What other nodes change is not heard: nothing is cached now')
        isWarned = true
      } finally {
        this.#end(session)
      }
      await pause(retryEveryMs, signal)
    }
  }

  #begin(session: ListeningSession, provenAt: number): void {
    this.#session = session
    this.#provenAt = provenAt
    this.#onSession.resolve(session)
    session.lost.addEventListener('abort', () => this.#end(session))
  }

  #end(session: ListeningSession): void {
    session.cut()
    if (this.#session !== session) return
    this.#session = null
    this.#onSession = Promise.withResolvers()
  }

  /** A response proves that all earlier notifications were received. Throws when the connection is lost or closed. */
  async #beat(session: ListeningSession): Promise<never> {
    for (;;) {
      const askedAt = performance.now()
      await session.answer()
      this.#provenAt = askedAt
      await pause(beatEveryMs, session.lost)
      session.lost.throwIfAborted()
    }
  }

  #receive(changes: Changes, word: string): void {
    const [node, topic, ...keys] = word.split(' ')
    if (node === this.#node) return
    if (keys.length === 0) changes.hear(topic as Topic, null)
    for (const key of keys) changes.hear(topic as Topic, Number(key))
  }

  async #sendPending(): Promise<void> {
    while (this.#waiting.size > 0) {
      await pause(batchDelayMs, this.#closing.signal)
      const messages = [...this.#waiting]
      this.#waiting.clear()
      // A lost notification only delays its receivers, which also poll.
      await this.#session?.tell(messages).catch(() => undefined)
    }
  }

  async #getSession(): Promise<ListeningSession> {
    if (this.#session) return this.#session
    const found = await Promise.race([this.#onSession.promise, pause(waitForSessionMs, this.#closing.signal)])
    if (found) return found
    throw new DatabaseUnavailable('The connection that holds the locks of this node is lost')
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)

function unavailable(cause: unknown): never {
  throw new DatabaseUnavailable('The lock of this work could not be asked for', { cause })
}
