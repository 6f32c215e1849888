import type {
  GuestLiveThread,
  LiveDecision,
  LiveFeedback,
  LiveGuest,
  LivePhoto,
  LiveSelection,
  LiveThread,
} from '../../../contract/live.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { LiveEventTable } from './live-event-rows.ts'

export type LiveEvent = {
  id: number
  type: LiveEventTable['type']
  data: LiveFeedback | LivePhoto | LiveGuest | LiveSelection | LiveThread | LiveDecision | GuestLiveThread
}

/** Oldest first. */
export async function readLiveEvents(
  { db }: PlatformContext,
  eventId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<LiveEvent[]> {
  const rows = await db
    .selectFrom('live_events as live')
    .leftJoin('photos', 'photos.id', 'live.photo_id')
    .leftJoin('feedback', 'feedback.id', 'live.feedback_id')
    .leftJoin('guests', 'guests.id', 'live.guest_id')
    .select(['live.id', 'live.type', 'live.photo_id', 'live.feedback_id', 'live.guest_id', 'live.data'])
    .select(['live.created_at', 'photos.original_filename', 'feedback.comment_text', 'guests.name as guest_name'])
    .where('live.event_id', '=', eventId)
    .where('live.id', '>', afterId)
    .orderBy('live.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, type, data, created_at, ...row }) => {
    const { photo_id, original_filename, feedback_id, comment_text, guest_id, guest_name } = row
    const ofType = {
      feedback: { photo_id, original_filename, feedback_id, comment_text, guest_id, guest_name },
      photo: { photo_id, original_filename },
      guest: { guest_id, guest_name },
      selection: { guest_id, guest_name },
      thread: { photo_id, guest_id, guest_name },
      decision: { photo_id, original_filename, guest_id, guest_name },
    }[type]
    return { id, type, data: { ...JSON.parse(data), ...ofType, at: isoTime(created_at) } }
  })
}

/** Returns the id after which the stream starts. `hasGap`: events after `lastSeenId` may be missing. */
export async function findStreamStart(
  { db }: PlatformContext,
  eventId: number,
  lastSeenId: number | null,
): Promise<{ afterId: number; hasGap: boolean }> {
  const ids = db.selectFrom('live_events').select('id').limit(1)
  const newestFirst = ids.orderBy('id', 'desc')
  const afterId = (await newestFirst.where('event_id', '=', eventId).executeTakeFirst())?.id ?? 0
  if (lastSeenId === null) return { afterId, hasGap: false }
  const newest = (await newestFirst.executeTakeFirst())?.id ?? 0
  const oldest = (await ids.orderBy('id').executeTakeFirst())?.id ?? 1
  // The client can have an id greater than the newest one if the database was restored from a backup.
  const isKnown = lastSeenId <= newest && lastSeenId >= oldest - 1
  return isKnown ? { afterId: lastSeenId, hasGap: false } : { afterId, hasGap: true }
}
