import type { Selectable } from 'kysely'
import { byKey } from '../../platform/database/short-read.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { PixelSize, Watermark } from '../../platform/media/image-tasks.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'

export type RenditionProfile = {
  /** Name of the profile. Different profiles have different names. */
  variant: string
  capPx: number | null
  watermark: Watermark | null
  /** Crops to exactly this size instead of fitting into it. */
  crop?: PixelSize
}

/** For operators and integrations, and for guests of an event without a size limit and a watermark. */
export const plainProfile: RenditionProfile = { variant: 'plain', capPx: null, watermark: null }

export const renditionFormats = ['webp', 'jpeg', 'avif'] as const
export type StoredFormat = (typeof renditionFormats)[number]

/** The `bound_px` of full-size renditions. The JPEG encoder cannot make wider pictures. */
export const fullSizePx = 65_500

export type RenditionRequest = {
  profile: RenditionProfile
  /** The maximum width: a standard width, the width of `profile.crop`, or `fullSizePx`. */
  bound_px: number
  format: StoredFormat
}

export type RenditionTable = {
  photo_id: number
  /**
   * Content hash of the original that the rendition was made from. The row is invalid when the file of the photo is
   * replaced.
   */
  content_hash: string
  variant: string
  bound_px: number
  format: StoredFormat
  event_id: number
  /** Names are never reused for other content. */
  filename: string
  width: number
  height: number
  size_bytes: number
  sha256: string
  crc32: number
  created_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    photo_renditions: RenditionTable
  }
}

export type RenditionRow = Selectable<RenditionTable>

export const findRendition = (
  db: Database,
  photo: { id: number; content_hash: string },
  { profile, bound_px, format }: RenditionRequest,
): Promise<RenditionRow | undefined> =>
  db
    .selectFrom('photo_renditions')
    .selectAll()
    .where('photo_id', '=', photo.id)
    .where('content_hash', '=', photo.content_hash)
    .where('variant', '=', profile.variant)
    .where('bound_px', '=', bound_px)
    .where('format', '=', format)
    .modifyEnd(byKey)
    .executeTakeFirst()

export type ReadyRendition = Pick<RenditionRow, 'photo_id' | 'filename' | 'size_bytes' | 'crc32' | 'sha256'>

/** For more ids, `findReadyRenditions` reads all rows of the event and filters them itself. */
const maxListedIds = 500

/** Does not check whether the files exist. */
export async function findReadyRenditions(
  db: Database,
  eventId: number,
  photoIds: readonly number[],
  { profile, bound_px, format }: RenditionRequest,
): Promise<Map<number, ReadyRendition>> {
  if (photoIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('photo_renditions as made')
    .innerJoin('photos', 'photos.id', 'made.photo_id')
    .select(['made.photo_id', 'made.filename', 'made.size_bytes', 'made.crc32', 'made.sha256'])
    .where('made.event_id', '=', eventId)
    .whereRef('made.content_hash', '=', 'photos.content_hash')
    .where('made.variant', '=', profile.variant)
    .where('made.bound_px', '=', bound_px)
    .where('made.format', '=', format)
    .$if(photoIds.length <= maxListedIds, (query) => query.where('made.photo_id', 'in', [...photoIds]))
    .execute()
  const requestedIds = new Set(photoIds)
  return new Map(rows.filter(({ photo_id }) => requestedIds.has(photo_id)).map((row) => [row.photo_id, row]))
}

/**
 * Requests the renditions that a download needs (see `downloadRequest`). They are then made before other renditions in
 * the background.
 */
export const requestRenditionsSoon = (
  { changes }: PlatformContext,
  { eventId, widthPx }: { eventId: number; widthPx: number | null },
): void => changes.notify('requested-renditions', widthPx === null ? eventId : `${eventId}@${widthPx}`)
