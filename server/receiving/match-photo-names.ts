import type { SameName } from '../../contract/bulk-photos.ts'
import { sanitizeOriginalName } from '../photos/photo-files.ts'
import { createNameSortKey, foldCase, getSortedStem } from '../photos/photo-names.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { isoTimeOrNull } from '../platform/time/clock.ts'
import { fileFamily } from '../settings/file-type-rules.ts'
import { selectEarlier } from './replaced-file-rows.ts'

/** A photo has two names after a file of another name or type has replaced it. */
type NamedPhoto = Pick<
  PhotoRow,
  'id' | 'source_filename' | 'original_filename' | 'media_type' | 'captured_at' | 'uploaded_by'
>

/** Limits the response: many names of a request may differ only in case. */
const maxListed = 100

type KnownContent = Pick<PhotoRow, 'id' | 'size_bytes'> & { content_hash: string | null }

/** What files are compared with before an import. `earlier`: the earlier files of replaced photos, as long as they are kept. */
export type Comparable = {
  photos: readonly (NamedPhoto & KnownContent)[]
  earlier: readonly KnownContent[]
}

export async function listComparable({ db }: PlatformContext, eventId: number): Promise<Comparable> {
  const photos = await db
    .selectFrom('photos')
    .select(['id', 'source_filename', 'original_filename', 'media_type', 'captured_at', 'uploaded_by'])
    .select(['size_bytes', 'content_hash'])
    .where('event_id', '=', eventId)
    .execute()
  const earlier = await selectEarlier(db, eventId).select(['photo_id as id', 'size_bytes', 'content_hash']).execute()
  return { photos, earlier }
}

/**
 * Returns the photos with the names of files, by name. Reads the names of all photos of the event, but folds only those that
 * can match: equal names have equal sort keys.
 */
export async function findSameNames(
  { db }: PlatformContext,
  eventId: number,
  names: readonly string[],
): Promise<Map<string, SameName>> {
  if (names.length === 0) return new Map()
  const stemOf = (name: string) => getSortedStem(createNameSortKey(sanitizeOriginalName(name, '')))
  const asked = new Set(names.map(stemOf))
  const photos = await db
    .selectFrom('photos')
    .select(['id', 'source_filename', 'original_filename', 'media_type', 'captured_at', 'uploaded_by', 'name_sort'])
    .where('event_id', '=', eventId)
    .execute()
  return matchNames(
    photos.filter(
      ({ name_sort, source_filename, original_filename }) =>
        asked.has(getSortedStem(name_sort)) ||
        (original_filename !== source_filename && asked.has(stemOf(original_filename))),
    ),
    names,
  )
}

/**
 * Returns, for each name, the photos that have or had this name in any case; or else the only one with the name without its
 * extension.
 * A photo has the name of an image only, and a video that of a video.
 * Uploads of guests, often copies of what they downloaded, are found only if no other photo has the name.
 */
export function matchNames(photos: readonly NamedPhoto[], names: readonly string[]): Map<string, SameName> {
  const lists = [false, true].map((ofGuests) =>
    indexNames(photos.filter(({ uploaded_by }) => (uploaded_by === 'guest') === ofGuests)),
  )
  const found = new Map<string, SameName>()
  for (const name of names) {
    const clean = sanitizeOriginalName(name, '')
    const family = fileFamily(clean)
    const [key, stem] = [keyOf(clean, family), keyOf(withoutExtension(clean), family)]
    const list = lists.find(({ byName, byStem }) => byName.has(key) || byStem.has(stem))
    const exact = list?.byName.get(key)
    const named = exact ?? list?.byStem.get(stem) ?? []
    if (!exact && named.length !== 1) continue
    const listed = named.map(({ id, captured_at }) => ({ id: Number(id), captured_at: isoTimeOrNull(captured_at) }))
    found.set(name, { photos: listed.length > maxListed ? [] : listed, is_exact: exact !== undefined })
  }
  return found
}

function indexNames(photos: readonly NamedPhoto[]) {
  const byName = new Map<string, NamedPhoto[]>()
  for (const photo of photos) {
    const { source_filename, original_filename, media_type } = photo
    for (const key of new Set([source_filename, original_filename].map((name) => keyOf(name, media_type)))) {
      const named = byName.get(key)
      if (named) named.push(photo)
      else byName.set(key, [photo])
    }
  }
  return { byName, byStem: Map.groupBy(photos, toStemKey) }
}

const keyOf = (name: string, family: PhotoRow['media_type']): string => `${family} ${foldCase(name)}`

/** Returns equal text for photos of one kind whose names differ only in case and extension. */
export const toStemKey = ({
  source_filename,
  media_type,
}: Pick<NamedPhoto, 'source_filename' | 'media_type'>): string => keyOf(withoutExtension(source_filename), media_type)

export const withoutExtension = (name: string): string => name.replace(/(?<=.)\.[^.]{1,10}$/, '')
