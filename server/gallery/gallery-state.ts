import { type EventRow, findEventBySlug } from '../events/event-rows.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { StateCache } from '../platform/background/changes.ts'
import type { Flag } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

export type ViewedPhoto = Pick<
  PhotoRow,
  | 'id'
  | 'event_id'
  | 'visibility'
  | 'filename'
  | 'original_filename'
  | 'size_bytes'
  | 'content_hash'
  | 'width'
  | 'height'
  | 'media_type'
  | 'processing_status'
  | 'thumbnail_filename'
  | 'thumbnail_size_bytes'
  | 'thumbnail_sha256'
  | 'still_filename'
  | 'still_size_bytes'
> & { category_allows_downloads: Flag | null }

export type GalleryState = ReturnType<typeof createGalleryState>

/** Caches events by slug and photos by id until they change. */
export function createGalleryState({ db, changes }: PlatformContext) {
  const events = new StateCache<string, EventRow>(changes, { max: 2_000 })
  const photos = new StateCache<number, ViewedPhoto>(changes, { max: 50_000 })
  changes.on('event', () => events.drop())
  changes.on('photo', (id) => (typeof id === 'number' ? photos.dropKey(id) : photos.drop()))

  return {
    knownEvent: (slug: string): EventRow | undefined => events.get(slug),
    knownPhoto: (id: number): ViewedPhoto | undefined => photos.get(id),
    event: (slug: string): Promise<EventRow | undefined> => events.getOrLoad(slug, () => findEventBySlug(db, slug)),
    photo: (id: number): Promise<ViewedPhoto | undefined> => photos.getOrLoad(id, () => findViewedPhoto(db, id)),
  }
}

const findViewedPhoto = (db: PlatformContext['db'], id: number): Promise<ViewedPhoto | undefined> =>
  db
    .selectFrom('photos')
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .select([
      'photos.id',
      'photos.event_id',
      'photos.visibility',
      'photos.filename',
      'photos.original_filename',
      'photos.size_bytes',
      'photos.content_hash',
      'photos.width',
      'photos.height',
      'photos.media_type',
      'photos.processing_status',
      'photos.thumbnail_filename',
      'photos.thumbnail_size_bytes',
      'photos.thumbnail_sha256',
      'photos.still_filename',
      'photos.still_size_bytes',
      'categories.allow_downloads as category_allows_downloads',
    ])
    .where('photos.id', '=', id)
    .executeTakeFirst()
