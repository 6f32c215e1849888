import type { TrashedPhoto } from '../../../contract/trash.ts'
import { trashTimes } from '../../events/trash/trash-rules.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { sumOfBytes } from '../photo-totals.ts'

type PageRequest = { page: number; limit: number }

/** Returns the photos that were moved last first. */
export async function listTrashedPhotos({ db }: PlatformContext, eventId: number, { page, limit }: PageRequest) {
  const trashed = db.selectFrom('trashed_photos').where('event_id', '=', eventId)
  const { total, videos, size } = await trashed
    .select(({ fn }) => [fn.countAll<number>().as('total'), sumOfBytes.as('size')])
    .select(({ fn, ref }) => fn.countAll<number>().filterWhere(ref('media_type'), '=', 'video').as('videos'))
    .executeTakeFirstOrThrow()
  const rows = await trashed
    .select(['id', 'original_filename', 'media_type', 'size_bytes', 'width', 'height', 'thumbhash', 'trashed_at'])
    .orderBy('trashed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const photos = rows.map((row): TrashedPhoto => ({ ...row, ...trashTimes(row) }))
  return {
    photos,
    total_size: Number(size),
    video_count: Number(videos),
    pagination: toPagination({ page, limit }, total),
  }
}
