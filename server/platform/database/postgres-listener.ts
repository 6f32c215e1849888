import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ChangedKey, Changes, OtherNodes, Topic } from '../background/changes.ts'
import { ListeningSession } from './listening-session.ts'
import { DatabaseUnavailable } from './opened-database.ts'

const pingIntervalMs = 150
/** Caches are valid for this long after the last successful ping was sent. */
const cacheTrustMs = 300
const retryIntervalMs = 250
const batchDelayMs = 20
const sessionTimeoutMs = 5_000

/** Operations send these notifications; database triggers send those about cached data, see `0022-nodes.ts`. */
const topicsSentByOperations = new Set<Topic>(['live'])

/**
 * The connection of this node to the other nodes on the same database. Triggers send the notifications about cached
 * data within the transaction, so a crash or a forgotten call cannot leave stale caches.
 */
export class PostgresListener implements OtherNodes {
  readonly #url: string
  readonly #node: string
  readonly #closing = new AbortController()
  readonly #pendingMessages = new Set<string>()
  readonly #runningNames = new Set<string>()
  #newestSession: ListeningSession | null = null
  #session: ListeningSession | null = null
  #nextSession = Promise.withResolvers<ListeningSession>()
  #lastPingAt = Number.NEGATIVE_INFINITY
  #listening: Promise<void> = Promise.resolve()
  #notifying: Promise<void> | null = null

  constructor(url: string, node: string) {
    this.#url = url
    this.#node = node
  }

  follow(changes: Changes, log: Logger): void {
    changes.join(this)
    this.#listening = this.#listen(changes, log)
  }

  areConnected(): boolean {
    return this.#session !== null && performance.now() - this.#lastPingAt < cacheTrustMs
  }

  /** Sends notifications in batches, because PostgreSQL commits transactions with notifications one after another. */
  notify(topic: Topic, key: ChangedKey): void {
    if (!topicsSentByOperations.has(topic)) return
    this.#pendingMessages.add([this.#node, topic, ...(key === null ? [] : [key])].join(' '))
    this.#notifying ??= this.#sendPending().finally(() => {
      this.#notifying = null
    })
  }

  /** See `OpenDatabase`. A node that loses its connection loses its locks, but work that has started continues. */
  async runExclusively(name: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#runningNames.has(name)) return false
    this.#runningNames.add(name)
    try {
      const session = await this.#getSession()
      if (!(await session.lock(name).catch(throwLockUnavailable))) return false
      await work().finally(() => session.unlock(name).catch(() => session.disconnect()))
      return true
    } finally {
      this.#runningNames.delete(name)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#newestSession?.disconnect()
    await this.#listening
  }

  async #listen(changes: Changes, log: Logger): Promise<void> {
    const { signal } = this.#closing
    let isWarned = false
    while (!signal.aborted) {
      const session = new ListeningSession(this.#url, this.#node, (message) => this.#receive(changes, message))
      this.#newestSession = session
      try {
        const sentAt = performance.now()
        await session.open()
        // Caches may be stale after the time without a connection.
        changes.notifyAll()
        this.#startSession(session, sentAt)
        if (isWarned) log.info('Reconnected to other nodes; caches are in use again')
        isWarned = false
        await this.#pingUntilLost(session)
      } catch (err) {
        if (!isWarned && !signal.aborted) log.warn({ err }, 'Disconnected from other nodes; caches are bypassed')
        isWarned = true
      } finally {
        this.#endSession(session)
      }
      await pause(retryIntervalMs, signal)
    }
  }

  #startSession(session: ListeningSession, pingedAt: number): void {
    this.#session = session
    this.#lastPingAt = pingedAt
    this.#nextSession.resolve(session)
    session.lost.addEventListener('abort', () => this.#endSession(session))
  }

  #endSession(session: ListeningSession): void {
    session.disconnect()
    if (this.#session !== session) return
    this.#session = null
    this.#nextSession = Promise.withResolvers()
  }

  /** The response to a ping proves that earlier notifications arrived. Throws when the connection is lost or closed. */
  async #pingUntilLost(session: ListeningSession): Promise<never> {
    for (;;) {
      const sentAt = performance.now()
      await session.ping()
      this.#lastPingAt = sentAt
      await pause(pingIntervalMs, session.lost)
      session.lost.throwIfAborted()
    }
  }

  #receive(changes: Changes, message: string): void {
    const [node, topic, ...keys] = message.split(' ')
    if (node === this.#node) return
    if (keys.length === 0) changes.receive(topic as Topic, null)
    for (const key of keys) changes.receive(topic as Topic, Number(key))
  }

  async #sendPending(): Promise<void> {
    while (this.#pendingMessages.size > 0) {
      await pause(batchDelayMs, this.#closing.signal)
      const messages = [...this.#pendingMessages]
      this.#pendingMessages.clear()
      // A lost notification only delays its receivers, which also poll.
      await this.#session?.notify(messages).catch(() => undefined)
    }
  }

  async #getSession(): Promise<ListeningSession> {
    if (this.#session) return this.#session
    const found = await Promise.race([this.#nextSession.promise, pause(sessionTimeoutMs, this.#closing.signal)])
    if (found) return found
    throw new DatabaseUnavailable('The connection that holds the locks of this node was lost')
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)

function throwLockUnavailable(cause: unknown): never {
  throw new DatabaseUnavailable('Could not request the lock of a job', { cause })
}
