import type { VersionList } from '../../../contract/gallery/versions.ts'
import type { Database } from '../../platform/database/tables.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { PhotoRow } from '../photo-rows.ts'
import { listEarlierVersions } from './version-rows.ts'

export type Version = VersionList['versions'][number]

/** Returns all versions of a photo, the oldest first, with those whose file was deleted. */
export async function listVersions(db: Database, photo: PhotoRow): Promise<Version[]> {
  const earlier = await listEarlierVersions(db, photo.event_id, photo.id)
  const last = earlier.at(-1)
  const current = {
    ...photo,
    number: (last?.number ?? 0) + 1,
    from_at: last?.until_at ?? photo.uploaded_at,
    until_at: null,
    deleted_at: null,
  }
  return [...earlier, current].map((version, index) => ({
    number: version.number,
    is_current: version === current,
    width: version.width,
    height: version.height,
    note: earlier[index - 1]?.next_note ?? null,
    from_at: isoTime(Number(version.from_at)),
    until_at: version.until_at === null ? null : isoTime(Number(version.until_at)),
    filename: version.filename,
    original_filename: version.original_filename,
    size_bytes: Number(version.size_bytes),
    content_hash: version.content_hash,
    has_picture: version.media_type === 'image' || version.still_filename !== null,
    deleted_at: version.deleted_at === null ? null : isoTime(Number(version.deleted_at)),
  }))
}
