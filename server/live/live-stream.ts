import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import type { LiveEvent } from './read-live-events.ts'

const pageSize = 100
const retryMs = 3_000
const closeTimeoutMs = 1_000

export const liveTimes = {
  heartbeatMs: 20_000,
  /** Pause before each read, to send many events at once. */
  restMs: 50,
  /** A client that accepts no data for this time is disconnected. */
  stalledMs: 30_000,
}

export type LiveSource = {
  /** Oldest first. */
  read: (afterId: number, limit: number) => Promise<LiveEvent[]>
  check: () => Promise<unknown>
  /** Notifications of other nodes can get lost; then each heartbeat also reads. */
  mayMissNews?: boolean
}

/** It reads only after a notification, checks access before it sends, and holds at most one page for a slow client. */
export class LiveStream {
  readonly #source: LiveSource
  readonly #reply: FastifyReply
  readonly #times: typeof liveTimes
  #isEnded = false
  #hasNews = true
  #isWoken = false
  #notice = () => {}

  constructor(reply: FastifyReply, source: LiveSource, times = liveTimes) {
    this.#reply = reply
    this.#source = source
    this.#times = times
  }

  /** Without news, it only checks whether the client still has access. */
  wake(hasNews: boolean): void {
    this.#hasNews ||= hasNews
    this.#isWoken = true
    this.#notice()
  }

  /** Ends the response and disconnects a client that does not accept the last bytes. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { raw } = this.#reply
    raw.end()
    setTimeout(() => raw.writableFinished || raw.destroy(), closeTimeoutMs).unref()
    this.#notice()
  }

  /** Resolves when either side ends the stream. */
  async run(afterId: number, opening: string): Promise<void> {
    const { raw, request } = this.#reply
    const gone = () => this.end()
    raw.on('error', gone)
    request.raw.socket.once('close', gone)
    if (request.raw.socket.destroyed) gone()
    try {
      if (!this.#isEnded) raw.writeHead(200, this.#reply.getHeaders() as OutgoingHttpHeaders)
      await this.#write(`retry: ${retryMs}\n\n${opening}`)
      await this.#follow(afterId)
    } finally {
      request.raw.socket.off('close', gone)
      this.end()
    }
  }

  async #follow(afterId: number): Promise<void> {
    let seenId = afterId
    let isQuiet = false
    while (!this.#isEnded) {
      const events = this.#hasNews ? await this.#readOn(seenId) : []
      if (!(await this.#isStillAllowed())) return
      const isSilent = isQuiet && events.length === 0
      await this.#write(isSilent ? signOfLife : events.map(textOf).join(''))
      seenId = events.at(-1)?.id ?? seenId
      const isMoreThere = events.length === pageSize
      isQuiet = !isMoreThere && !(await this.#waitUntilWoken())
      this.#hasNews ||= isQuiet && this.#source.mayMissNews === true
    }
  }

  async #readOn(seenId: number): Promise<LiveEvent[]> {
    this.#hasNews = false
    const events = await this.#source.read(seenId, pageSize)
    this.#hasNews ||= events.length === pageSize
    return events
  }

  async #isStillAllowed(): Promise<boolean> {
    try {
      await this.#source.check()
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  /** Returns false if the heartbeat was due first. */
  async #waitUntilWoken(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#notice = resolve
    const timer = setTimeout(resolve, this.#times.heartbeatMs)
    if (!this.#isWoken && !this.#isEnded) await promise
    clearTimeout(timer)
    const isWoken = this.#isWoken
    this.#isWoken = false
    if (isWoken && !this.#isEnded) await sleep(this.#times.restMs)
    return isWoken
  }

  async #write(text: string): Promise<void> {
    const { raw } = this.#reply
    if (this.#isEnded || text === '' || raw.write(text)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#notice = () => this.#isEnded && resolve()
    raw.once('drain', resolve)
    const timer = setTimeout(() => raw.destroy(), this.#times.stalledMs)
    await promise
    clearTimeout(timer)
    raw.off('drain', resolve)
  }
}

const signOfLife = ': still here\n\n'

const textOf = ({ id, type, data }: LiveEvent): string => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
