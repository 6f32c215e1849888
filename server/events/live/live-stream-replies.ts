import type { FastifyReply } from 'fastify'
import { rateLimited } from '../../access/limits/rate-limits.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { type LiveSource, LiveStream } from './live-stream-reply.ts'
import { findStreamStart, readLiveEvents } from './read-live-events.ts'

/** `guests`: streams of all guests of an event in this process. Other guests see changes when they return to the page. */
const maxStreams = { account: 10, guest: 4, guests: 300 }

export type LiveSubscription = {
  viewer: { kind: 'account' | 'guest'; id: number | string }
  eventId: number
  lastSeenId: number | null
  check: LiveSource['check']
  show?: LiveSource['show']
}

export type LiveStreams = ReturnType<typeof createLiveStreams>

/**
 * Notifications, including those from other nodes, wake the streams. An idle stream queries the database only at
 * heartbeats.
 */
export function createLiveStreams(ctx: AppContext) {
  const open = new Map<LiveStream, LiveSubscription>()
  let isClosed = false

  const wake = (hasNewEvents: boolean, eventId: string | number | null = null) => {
    for (const [stream, subscription] of open) {
      if (eventId === null || subscription.eventId === eventId) stream.wake(hasNewEvents)
    }
  }
  ctx.changes.on('live', (eventId) => wake(true, eventId))
  // These changes can end access, so each stream checks again.
  for (const topic of ['session', 'account', 'event'] as const) ctx.changes.on(topic, () => wake(false))

  return {
    /**
     * Resolves when the stream ends. Throws RATE_LIMITED for too many streams, and UNAVAILABLE after `close`.
     */
    async send(reply: FastifyReply, subscription: LiveSubscription): Promise<void> {
      const { viewer, eventId, lastSeenId, check, show } = subscription
      const read = (afterId: number, limit: number) => readLiveEvents(ctx, eventId, { afterId, limit })
      const { afterId, hasGap } = await findStreamStart(ctx, eventId, lastSeenId)
      if (isClosed) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
      const sameKind = [...open.values()].filter((other) => other.viewer.kind === viewer.kind)
      const ofGuests = viewer.kind === 'guest' ? sameKind.filter((other) => other.eventId === eventId) : []
      const own = sameKind.filter((other) => other.viewer.id === viewer.id)
      if (own.length >= maxStreams[viewer.kind] || ofGuests.length >= maxStreams.guests) {
        throw rateLimited(30, 'Too many live streams are open.')
      }
      const stream = new LiveStream(reply, { read, check, show, canMissEvents: ctx.database.kind === 'postgres' })
      open.set(stream, subscription)
      try {
        // The last header prevents proxies from buffering the stream.
        reply
          .header('content-type', 'text/event-stream')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
        reply.hijack()
        await stream.run(afterId, hasGap ? resetEvent : '')
      } finally {
        open.delete(stream)
      }
    },

    close(): void {
      isClosed = true
      for (const stream of open.keys()) stream.end()
    },
  }
}

/** Sent after a gap; the client must reload its data. */
const resetEvent = 'event: reset\ndata: {}\n\n'
