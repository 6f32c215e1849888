import type { Backends } from '../platform/backends.ts'
import { Refusal } from '../platform/refusal.ts'
import { type MarkFilter, type Places, photosMarked } from '../proofing/mark-filters.ts'
import type { PhotoRow } from './photo-rows.ts'

/** What a ZIP has to know of a photo: its stored original, and what to call it. */
export type ChosenPhoto = Pick<
  PhotoRow,
  'id' | 'filename' | 'original_filename' | 'size_bytes' | 'crc32' | 'content_hash' | 'captured_at' | 'uploaded_at'
>

const columns = [
  'id',
  'filename',
  'original_filename',
  'size_bytes',
  'crc32',
  'content_hash',
  'captured_at',
  'uploaded_at',
] as const satisfies Array<keyof ChosenPhoto>

/** Other lists get their turn with the reader in between. */
const rowsAtOnce = 10_000
const mostIds = 500

/** Which photos of an event are wanted: by id, where ids that are none of its photos are left out, and by marks. */
export type PhotoChoice = {
  ids?: readonly number[] | undefined
  /** By the guests' marks and those of an account. */
  marked?: { filter: MarkFilter; userId: number }
}

/** All photos chosen, hidden ones included, in the order of every public list: `uploaded_at`, then `id`. */
export async function choosePhotos(
  { db }: Backends,
  eventId: number,
  { ids, marked }: PhotoChoice = {},
): Promise<ChosenPhoto[]> {
  const matching = marked && photosMarked(db, eventId, marked.userId, marked.filter)
  const chosen: ChosenPhoto[] = []
  for (;;) {
    const last = chosen.at(-1)
    const rows = await db
      .selectFrom('photos')
      .select(columns)
      .where('event_id', '=', eventId)
      .$if(ids !== undefined, (photos) => photos.where('id', 'in', ids ?? []))
      .$if(Boolean(matching), (photos) =>
        photos.where('id', 'in', (query) =>
          query.selectFrom((matching as Places).as('matching')).select('matching.photo_id'),
        ),
      )
      .$if(last !== undefined, (photos) =>
        photos
          .where('uploaded_at', '>=', last?.uploaded_at ?? 0)
          .where((photo) =>
            photo.or([photo('uploaded_at', '>', last?.uploaded_at ?? 0), photo('id', '>', last?.id ?? 0)]),
          ),
      )
      .orderBy('uploaded_at')
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    chosen.push(...rows)
    if (rows.length < rowsAtOnce) return chosen
  }
}

/** Ids as they stand in an address, `1,2,3`: at most 500. Throws INVALID_PHOTO_IDS. */
export function readPhotoIds(text: string): number[] {
  const ids = text.split(',').map((id) => (/^\d{1,16}$/.test(id) ? Number(id) : 0))
  const areIds = ids.every((id) => id >= 1 && id <= Number.MAX_SAFE_INTEGER)
  if (!areIds || ids.length > mostIds) throw new Refusal('INVALID_PHOTO_IDS')
  return [...new Set(ids)]
}
