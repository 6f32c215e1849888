import { isUploadedAfter, type PhotoRow } from '../photos/photo-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { Flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type PhotoFilter, selectFilteredPhotos } from './photo-filters.ts'

export type ChosenPhoto = Pick<PhotoRow, (typeof columns)[number]> & { category_allows_downloads: Flag | null }

const columns = [
  'id',
  'event_id',
  'filename',
  'original_filename',
  'media_type',
  'width',
  'height',
  'size_bytes',
  'crc32',
  'content_hash',
  'captured_at',
  'uploaded_at',
] as const satisfies Array<keyof PhotoRow>

/** Several queries read the rows, so that other queries can use the reader thread of SQLite in between. */
const rowsPerQuery = 10_000
const maxIds = 500

/** Photos of an event that pass the filter and, if `ids` is given, have one of these ids. */
export type PhotoChoice = {
  ids?: readonly number[] | undefined
  /** The parameter with the ids; `ids` by default. */
  idsField?: string
  filter?: PhotoFilter
}

/** Returns the photos in upload order: `uploaded_at`, then `id`. */
export async function choosePhotos(
  { db }: PlatformContext,
  eventId: number,
  { ids, filter = {} }: PhotoChoice = {},
): Promise<ChosenPhoto[]> {
  const filtered = selectFilteredPhotos(db, eventId, filter)
  const page = (ids ? filtered.where('photos.id', 'in', ids) : filtered)
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .select(columns.map((column) => `photos.${column}` as const))
    .select('categories.allow_downloads as category_allows_downloads')
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .limit(rowsPerQuery)
  const chosen: ChosenPhoto[] = []
  for (;;) {
    const last = chosen.at(-1)
    const rows = await (last ? page.where(isUploadedAfter(last)) : page).execute()
    chosen.push(...rows)
    if (rows.length < rowsPerQuery) return chosen
  }
}

/**
 * A ZIP must not silently lack a photo. Throws INVALID_PHOTO_IDS, with the places of the ids that name no photo of the
 * event. With `onlyVisible`, the ids of hidden photos are among them, so that hidden and unknown ids look alike.
 */
export async function assertPhotosExist(
  { db }: PlatformContext,
  eventId: number,
  ids: readonly number[],
  { onlyVisible, field = 'ids' }: { onlyVisible: boolean; field?: string },
): Promise<void> {
  const rows = await selectFilteredPhotos(db, eventId, { onlyVisible })
    .where('photos.id', 'in', ids)
    .select('photos.id')
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const details = ids.flatMap((id, place) =>
    known.has(id) ? [] : { path: `${field}.${place}`, message: 'names no photo here', kind: 'not_a_choice' as const },
  )
  if (details.length > 0)
    throw new AppError('INVALID_PHOTO_IDS', { text: 'Some of the ids name no photo here.', details })
}

/** Throws INVALID_PHOTO_IDS. */
export const parsePhotoIds = (text: string): number[] =>
  validatePhotoIds(text.split(',').map((id) => (/^\d{1,16}$/.test(id) ? Number(id) : 0)))

/** Throws INVALID_PHOTO_IDS for an invalid id, no id, or more than 500. */
export function validatePhotoIds(ids: unknown[]): number[] {
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) >= 1
  if (!ids.every(isId) || ids.length === 0 || ids.length > maxIds) throw new AppError('INVALID_PHOTO_IDS')
  return ids
}
