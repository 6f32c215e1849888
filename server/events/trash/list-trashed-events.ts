import { sql } from 'kysely'
import type { TrashedEvent } from '../../../contract/trash.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { videoCount } from '../list-events.ts'
import { sumOfVersionBytes } from '../photo-version.ts'
import { trashTimes } from './trash-rules.ts'
import { ownedTrashedEvents } from './trashed-event-rows.ts'

type PageRequest = { page: number; limit: number }

/** Must equal `sumOfBytes` of `photos/photo-totals.ts`, which this layer cannot import. */
const trashedBytes = sql<number>`coalesce(
  sum(size_bytes + case when media_type = 'image' then coalesce(still_size_bytes, 0) else 0 end), 0)`

const totalSize = sql<number>`coalesce(event_photo_totals.total_size, 0)
  + (select ${trashedBytes} from trashed_photos where trashed_photos.event_id = events.id)
  + (select ${sumOfVersionBytes} from photo_versions where photo_versions.event_id = events.id
    and photo_versions.deleted_at is null)`

/** Returns the events that the caller owns, those moved last first. */
export async function listTrashedEvents({ db }: PlatformContext, caller: AccountCaller, { page, limit }: PageRequest) {
  const events = ownedTrashedEvents(db, caller)
  const { total } = await events.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await events
    .leftJoin('event_photo_totals', 'event_photo_totals.event_id', 'events.id')
    .selectAll('events')
    .select(['event_photo_totals.photo_count', videoCount, totalSize.as('total_size')])
    .orderBy('events.trashed_at', 'desc')
    .orderBy('events.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const records = rows.map(
    (row): TrashedEvent => ({
      id: row.id,
      event_name: row.event_name,
      event_type: row.event_type,
      event_date: row.event_date,
      customer_name: row.customer_name,
      is_draft: row.is_draft === 1,
      is_archived: row.is_archived === 1,
      photo_count: row.photo_count ?? 0,
      video_count: Number(row.video_count),
      total_size: Number(row.total_size),
      ...trashTimes({ trashed_at: row.trashed_at ?? 0 }),
    }),
  )
  return { events: records, pagination: toPagination({ page, limit }, total) }
}
