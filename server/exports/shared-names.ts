import type { SharedNames } from '../../contract/exports.ts'
import { isSameTime } from '../../contract/files/capture-times.ts'
import { getSortedStem } from '../photos/photo-names.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { toStemKey, withoutExtension } from '../receiving/match-photo-names.ts'
import { listPickersByPhoto, listPossiblePickers } from '../selections/picked-photos.ts'

const maxNames = 5

/**
 * Returns the picked photos that have the name of another photo, without the extension. Photos of the same time are one, such as
 * a raw file and its JPEG. A name is not shared because a guest has uploaded a file with it. Folds only the names that can match: equal
 * names have equal sort keys.
 */
export async function findSharedNames({ db }: PlatformContext, eventId: number): Promise<SharedNames> {
  const picked = await listPickersByPhoto(db, eventId, await listPossiblePickers(db, eventId))
  if (picked.size === 0) return { count: 0, names: [] }
  const photos = await db
    .selectFrom('photos')
    .select(['id', 'source_filename', 'media_type', 'captured_at', 'uploaded_by', 'name_sort'])
    .where('event_id', '=', eventId)
    .orderBy('name_sort')
    .orderBy('id')
    .execute()
  const similar = [...Map.groupBy(photos, ({ name_sort }) => getSortedStem(name_sort)).values()]
  const named = similar.flatMap((group) => (group.length > 1 ? [...Map.groupBy(group, toStemKey).values()] : []))
  const shared = named.flatMap((group) =>
    group.filter(
      (photo) =>
        picked.has(photo.id) &&
        group.some(
          (other) =>
            other !== photo &&
            !isSameTime(other.captured_at, photo.captured_at) &&
            (other.uploaded_by !== 'guest' || photo.uploaded_by === 'guest'),
        ),
    ),
  )
  const names = new Set(shared.map(({ source_filename }) => withoutExtension(source_filename)))
  return { count: shared.length, names: [...names].slice(0, maxNames) }
}
