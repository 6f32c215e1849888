import type { SameName } from '../../contract/bulk-photos.ts'
import { sanitizeOriginalName } from '../photos/photo-files.ts'
import { createNameSortKey, foldCase, getSortedStem } from '../photos/photo-names.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { fileFamily } from '../settings/file-type-rules.ts'

type NamedPhoto = Pick<PhotoRow, 'id' | 'source_filename' | 'media_type'>

/** What files are compared with before an import. */
export type ComparablePhoto = NamedPhoto & Pick<PhotoRow, 'size_bytes' | 'content_hash'>

export const listComparable = ({ db }: PlatformContext, eventId: number): Promise<ComparablePhoto[]> =>
  db
    .selectFrom('photos')
    .select(['id', 'source_filename', 'media_type', 'size_bytes', 'content_hash'])
    .where('event_id', '=', eventId)
    .execute()

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
  const asked = new Set(names.map((name) => getSortedStem(createNameSortKey(sanitizeOriginalName(name, '')))))
  const photos = await db
    .selectFrom('photos')
    .select(['id', 'source_filename', 'media_type', 'name_sort'])
    .where('event_id', '=', eventId)
    .execute()
  return matchNames(
    photos.filter(({ name_sort }) => asked.has(getSortedStem(name_sort))),
    names,
  )
}

/**
 * Returns, for each name that equals that of exactly one photo in any case, this photo; or else the only one with the name
 * without its extension. `photo_id` is null if several photos have the name. A photo has the name of an image only, and a video that of a video.
 */
export function matchNames(photos: readonly NamedPhoto[], names: readonly string[]): Map<string, SameName> {
  const byName = Map.groupBy(photos, ({ source_filename, media_type }) => keyOf(source_filename, media_type))
  const byStem = Map.groupBy(photos, ({ source_filename, media_type }) =>
    keyOf(withoutExtension(source_filename), media_type),
  )
  const found = new Map<string, SameName>()
  for (const name of names) {
    const clean = sanitizeOriginalName(name, '')
    const family = fileFamily(clean)
    const exact = byName.get(keyOf(clean, family))
    const [photo, ...others] = exact ?? byStem.get(keyOf(withoutExtension(clean), family)) ?? []
    if (photo && others.length === 0) found.set(name, { photo_id: Number(photo.id), is_exact: exact !== undefined })
    else if (exact) found.set(name, { photo_id: null, is_exact: true })
  }
  return found
}

const keyOf = (name: string, family: PhotoRow['media_type']): string => `${family} ${foldCase(name)}`

const withoutExtension = (name: string): string => name.replace(/(?<=.)\.[^.]{1,10}$/, '')
