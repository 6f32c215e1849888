import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import type { LiveEvent } from './read-live-events.ts'

const pageSize = 100
const retryMs = 3_000
const closeTimeoutMs = 1_000

export const liveTimings = {
  heartbeatMs: 20_000,
  /** Pause after a notification, so that many events are sent at once. */
  batchDelayMs: 50,
  /** A client that has not accepted all sent data after this time is disconnected. */
  stallTimeoutMs: 30_000,
}

export type LiveSource = {
  /** Oldest first. */
  read: (afterId: number, limit: number) => Promise<LiveEvent[]>
  check: () => Promise<unknown>
  /** What the client gets of an event; null for nothing. By default all of it. */
  show?: ((event: LiveEvent) => Promise<LiveEvent | null>) | undefined
  /** True if notifications of other nodes can get lost. Each heartbeat then also reads new events. */
  canMissEvents?: boolean
}

/** Checks access before it sends events, and keeps at most one page of events in memory for a slow client. */
export class LiveStream {
  readonly #source: LiveSource
  readonly #reply: FastifyReply
  readonly #times: typeof liveTimings
  #isEnded = false
  #hasNewEvents = true
  #isWoken = false
  #resume = () => {}

  constructor(reply: FastifyReply, source: LiveSource, times = liveTimings) {
    this.#reply = reply
    this.#source = source
    this.#times = times
  }

  /** If `hasNewEvents` is false, the stream only checks whether the client still has access. */
  wake(hasNewEvents: boolean): void {
    this.#hasNewEvents ||= hasNewEvents
    this.#isWoken = true
    this.#resume()
  }

  /** Ends the response and disconnects a client that does not accept the last bytes. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { raw } = this.#reply
    raw.end()
    setTimeout(() => raw.writableFinished || raw.destroy(), closeTimeoutMs).unref()
    this.#resume()
  }

  /**
   * Resolves when either side ends the stream. Rejects if `read` fails, or if `check` throws an error that is not an
   * AppError.
   */
  async run(afterId: number, opening: string): Promise<void> {
    const { raw, request } = this.#reply
    const endStream = () => this.end()
    raw.on('error', endStream)
    request.raw.socket.once('close', endStream)
    if (request.raw.socket.destroyed) endStream()
    try {
      if (!this.#isEnded) raw.writeHead(200, this.#reply.getHeaders() as OutgoingHttpHeaders)
      await this.#write(`retry: ${retryMs}\n\n${opening}`)
      await this.#follow(afterId)
    } finally {
      request.raw.socket.off('close', endStream)
      this.end()
    }
  }

  async #follow(afterId: number): Promise<void> {
    let seenId = afterId
    let isIdle = false
    while (!this.#isEnded) {
      const events = this.#hasNewEvents ? await this.#readNewEvents(seenId) : []
      if (!(await this.#isStillAllowed())) return
      const isHeartbeatDue = isIdle && events.length === 0
      const shown = await this.#show(events)
      await this.#write(isHeartbeatDue ? heartbeatText : shown.map(formatEvent).join(''))
      seenId = events.at(-1)?.id ?? seenId
      const hasMore = events.length === pageSize
      isIdle = !hasMore && !(await this.#waitUntilWoken())
      this.#hasNewEvents ||= isIdle && this.#source.canMissEvents === true
    }
  }

  async #show(events: LiveEvent[]): Promise<LiveEvent[]> {
    const { show } = this.#source
    if (!show) return events
    return (await Promise.all(events.map(show))).filter((event) => event !== null)
  }

  async #readNewEvents(seenId: number): Promise<LiveEvent[]> {
    this.#hasNewEvents = false
    const events = await this.#source.read(seenId, pageSize)
    this.#hasNewEvents ||= events.length === pageSize
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

  /** Returns false if the heartbeat was due first, or the stream has ended. */
  async #waitUntilWoken(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#resume = resolve
    const timer = setTimeout(resolve, this.#times.heartbeatMs)
    if (!this.#isWoken && !this.#isEnded) await promise
    clearTimeout(timer)
    const isWoken = this.#isWoken
    this.#isWoken = false
    if (isWoken && !this.#isEnded) await sleep(this.#times.batchDelayMs)
    return isWoken
  }

  async #write(text: string): Promise<void> {
    const { raw } = this.#reply
    if (this.#isEnded || text === '' || raw.write(text)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#resume = () => this.#isEnded && resolve()
    raw.once('drain', resolve)
    const timer = setTimeout(() => raw.destroy(), this.#times.stallTimeoutMs)
    await promise
    clearTimeout(timer)
    raw.off('drain', resolve)
  }
}

const heartbeatText = ': still here\n\n'

const formatEvent = ({ id, type, data }: LiveEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
