import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ChangedKey, Changes, OtherNodes, Topic } from '../background/changes.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { ListeningSession } from './listening-session.ts'

const beatEveryMs = 150
/** What is cached is trusted for so long after the question whose answer came last: a change elsewhere is seen by then. */
const trustedForMs = 300
const retryEveryMs = 250
const wordsTogetherMs = 20
const waitForSessionMs = 5_000

/** What the transactions tell other nodes themselves; all else is told by triggers, see the migration `0022-nodes`. */
const toldByOperations = new Set<Topic>(['live'])

/**
 * One node among those on the same database. A change of what nodes cache is told by the database itself, within the
 * transaction that makes it: no node that dies, and no transaction that forgets it, leaves the others with what was before.
 */
export class PostgresListener implements OtherNodes {
  readonly #url: string
  readonly #node: string
  readonly #closing = new AbortController()
  readonly #waiting = new Set<string>()
  readonly #atWork = new Set<string>()
  /** The one that is being opened, or is open. */
  #newest: ListeningSession | null = null
  #session: ListeningSession | null = null
  #onSession = Promise.withResolvers<ListeningSession>()
  #provenAt = Number.NEGATIVE_INFINITY
  #listening: Promise<void> = Promise.resolve()
  #telling: Promise<void> | null = null

  constructor(url: string, node: string) {
    this.#url = url
    this.#node = node
  }

  /** Tells `changes` of what other nodes change, and that it is deaf whenever they are not heard. */
  follow(changes: Changes, log: FastifyBaseLogger): void {
    changes.join(this)
    this.#listening = this.#listen(changes, log)
  }

  areHeard(): boolean {
    return this.#session !== null && performance.now() - this.#provenAt < trustedForMs
  }

  /** Soon, and several together: each message of the database waits for the commits of all others. */
  tell(topic: Topic, key: ChangedKey): void {
    if (!toldByOperations.has(topic)) return
    this.#waiting.add([this.#node, topic, ...(key === null ? [] : [key])].join(' '))
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = null
    })
  }

  /** See `OpenDatabase`. A node whose connection is lost has no lock any more; what it is at goes on. */
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
    let isTold = false
    while (!signal.aborted) {
      const session = new ListeningSession(this.#url, this.#node, (word) => this.#hear(changes, word))
      this.#newest = session
      try {
        const askedAt = performance.now()
        await session.open()
        // Whatever was missed meanwhile: nothing that is cached may be trusted.
        changes.tellAll()
        this.#begin(session, askedAt)
        if (isTold) log.info('What other nodes change is heard again')
        isTold = false
        await this.#beat(session)
      } catch (err) {
        if (!isTold && !signal.aborted) log.warn({ err }, 'What other nodes change is not heard: nothing is cached now')
        isTold = true
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

  /** What was told before an answer was heard before it. Throws when the connection is lost, or cut by `close`. */
  async #beat(session: ListeningSession): Promise<never> {
    for (;;) {
      const askedAt = performance.now()
      await session.answer()
      this.#provenAt = askedAt
      await pause(beatEveryMs, session.lost)
      session.lost.throwIfAborted()
    }
  }

  #hear(changes: Changes, word: string): void {
    const [node, topic, ...keys] = word.split(' ')
    if (node === this.#node) return
    if (keys.length === 0) changes.hear(topic as Topic, null)
    for (const key of keys) changes.hear(topic as Topic, Number(key))
  }

  async #tellAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      await pause(wordsTogetherMs, this.#closing.signal)
      const words = [...this.#waiting]
      this.#waiting.clear()
      // Lost with the connection: who waits for such a word looks by itself now and then.
      await this.#session?.tell(words).catch(() => undefined)
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
