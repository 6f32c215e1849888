import type { FastifyReply } from 'fastify'
import { rateLimited } from '../access/rate-limits.ts'
import { AppError } from '../platform/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type LiveSource, LiveStream } from './live-stream.ts'
import { readLiveEvents, startingPoint } from './read-live-events.ts'

const maxPerAccount = 10

export type Watching = {
  userId: number
  eventId: number
  lastSeenId: number | null
  check: LiveSource['check']
}

export type LiveStreams = ReturnType<typeof createLiveStreams>

/** Notifications, also from other nodes, wake the streams, so that idle streams do not query the database. */
export function createLiveStreams(ctx: AppContext) {
  const open = new Map<LiveStream, Watching>()
  let isClosed = false

  const wake = (hasNews: boolean, eventId: string | number | null = null) => {
    for (const [stream, watching] of open) {
      if (eventId === null || watching.eventId === eventId) stream.wake(hasNews)
    }
  }
  ctx.changes.on('live', (eventId) => wake(true, eventId))
  // These changes can end access, so each stream checks again.
  for (const topic of ['session', 'account', 'event'] as const) ctx.changes.on(topic, () => wake(false))

  return {
    /** Resolves when the stream ends. Throws RATE_LIMITED at ten streams of one account, and UNAVAILABLE. */
    async send(reply: FastifyReply, watching: Watching): Promise<void> {
      const { userId, eventId, lastSeenId, check } = watching
      const read = (afterId: number, limit: number) => readLiveEvents(ctx, eventId, { afterId, limit })
      const { afterId, hasGap } = await startingPoint(ctx, eventId, lastSeenId)
      const ofAccount = [...open.values()].filter((other) => other.userId === userId).length
      if (isClosed) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
      if (ofAccount >= maxPerAccount) throw rateLimited(30, 'This account watches too many events at once.')
      const stream = new LiveStream(reply, { read, check, mayMissNews: ctx.database.kind === 'postgres' })
      open.set(stream, watching)
      try {
        reply.hijack()
        await stream.run(afterId, hasGap ? reset : '')
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
const reset = 'event: reset\ndata: {}\n\n'
