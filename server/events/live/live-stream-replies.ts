import type { FastifyReply } from 'fastify'
import { rateLimited } from '../../access/limits/rate-limits.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { type LiveSource, LiveStream } from './live-stream-reply.ts'
import { findStreamStart, readLiveEvents } from './read-live-events.ts'

const maxPerAccount = 10

export type LiveSubscription = {
  userId: number
  eventId: number
  lastSeenId: number | null
  check: LiveSource['check']
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
     * Resolves when the stream ends. Throws RATE_LIMITED if the account has ten streams, and UNAVAILABLE after `close`.
     */
    async send(reply: FastifyReply, subscription: LiveSubscription): Promise<void> {
      const { userId, eventId, lastSeenId, check } = subscription
      const read = (afterId: number, limit: number) => readLiveEvents(ctx, eventId, { afterId, limit })
      const { afterId, hasGap } = await findStreamStart(ctx, eventId, lastSeenId)
      const accountStreams = [...open.values()].filter((other) => other.userId === userId).length
      if (isClosed) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
      if (accountStreams >= maxPerAccount) throw rateLimited(30, 'This account has too many live streams open.')
      const stream = new LiveStream(reply, { read, check, canMissEvents: ctx.database.kind === 'postgres' })
      open.set(stream, subscription)
      try {
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
