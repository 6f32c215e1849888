import type { Database, Flag } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { isUploadedAfter, type PhotoRow } from '../photo-rows.ts'
import { type PhotoFilter, selectFilteredPhotos } from './photo-filters.ts'

export type ChosenPhoto = Pick<PhotoRow, (typeof columns)[number]> & {
  category_allows_downloads: Flag | null
  category_name: string | null
}

const columns = [
  'id',
  'event_id',
  'category_id',
  'filename',
  'original_filename',
  'media_type',
  'width',
  'height',
  'size_bytes',
  'crc32',
  'content_hash',
  'still_filename',
  'still_size_bytes',
  'still_crc32',
  'still_sha256',
  'captured_at',
  'uploaded_at',
] as const satisfies Array<keyof PhotoRow>

/** Several queries read the rows, so that other queries can use the reader thread of SQLite in between. */
const rowsPerQuery = 10_000
const maxIds = 500

/** `field`: the parameter that the ids come from, for error messages. */
export type PhotoIds = { field: string; values: readonly number[] }

/** Photos of an event that pass the filter and, if `ids` is given, have one of these ids. */
export type PhotoChoice = { ids?: PhotoIds | undefined; filter?: PhotoFilter }

/**
 * Returns the photos in upload order: `uploaded_at`, then `id`. Throws INVALID_PHOTO_IDS if an id belongs to no photo
 * of the event. With `onlyVisible`, hidden and unknown ids give the same error.
 */
export async function choosePhotos(
  { db }: PlatformContext,
  eventId: number,
  { ids, filter = {} }: PhotoChoice = {},
): Promise<ChosenPhoto[]> {
  const filtered = selectFilteredPhotos(db, eventId, filter)
  const page = (ids ? filtered.where('photos.id', 'in', ids.values) : filtered)
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .select(columns.map((column) => `photos.${column}` as const))
    .select(['categories.allow_downloads as category_allows_downloads', 'categories.name as category_name'])
    .orderBy('photos.uploaded_at')
    .orderBy('photos.id')
    .limit(rowsPerQuery)
  const chosen: ChosenPhoto[] = []
  for (;;) {
    const last = chosen.at(-1)
    const rows = await (last ? page.where(isUploadedAfter(last)) : page).execute()
    chosen.push(...rows)
    if (rows.length < rowsPerQuery) break
  }
  if (ids) await assertPhotosExist(db, eventId, ids, { chosen, onlyVisible: filter.onlyVisible === true })
  return chosen
}

/** The other conditions of the filter may leave out an existing photo, which is not an error. */
async function assertPhotosExist(
  db: Database,
  eventId: number,
  { field, values }: PhotoIds,
  { chosen, onlyVisible }: { chosen: readonly ChosenPhoto[]; onlyVisible: boolean },
): Promise<void> {
  const known = new Set(chosen.map(({ id }) => id))
  const others = values.filter((id) => !known.has(id))
  if (others.length === 0) return
  const photos = selectFilteredPhotos(db, eventId, { onlyVisible }).where('photos.id', 'in', others)
  for (const { id } of await photos.select('photos.id').execute()) known.add(id)
  const details = values.flatMap((id, place) =>
    known.has(id)
      ? []
      : { path: `${field}.${place}`, message: 'is not the ID of a photo in this list', kind: 'not_a_choice' as const },
  )
  if (details.length > 0) throw new AppError('INVALID_PHOTO_IDS', { details })
}

/** Parses the parameter `ids`. Throws INVALID_PHOTO_IDS. */
export const parsePhotoIds = (text: string): PhotoIds =>
  validatePhotoIds(
    'ids',
    text.split(',').map((id) => (/^\d{1,16}$/.test(id) ? Number(id) : 0)),
  )

/** Throws INVALID_PHOTO_IDS for an invalid id, no id, or more than 500. */
export function validatePhotoIds(field: string, ids: unknown[]): PhotoIds {
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) >= 1
  if (!ids.every(isId) || ids.length === 0 || ids.length > maxIds) throw new AppError('INVALID_PHOTO_IDS')
  return { field, values: ids }
}
