import type { Selectable } from 'kysely'
import { must } from '../../contract/must.ts'
import { type EventRow, findEvent, findEventBySlug } from '../events/event-rows.ts'
import { assertNotErased, findActingGuest } from '../events/guests/guest-rows.ts'
import { StateCache } from '../platform/background/changes.ts'
import { byKey } from '../platform/database/short-read.ts'
import type { Database, Flag, Tables } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

type PhotoRow = Selectable<Tables['photos']>

const photoColumns = [
  'id',
  'event_id',
  'visibility',
  'filename',
  'original_filename',
  'size_bytes',
  'content_hash',
  'width',
  'height',
  'media_type',
  'processing_status',
  'thumbnail_filename',
  'thumbnail_size_bytes',
  'thumbnail_sha256',
  'still_filename',
  'still_size_bytes',
  'still_sha256',
] as const satisfies Array<keyof PhotoRow>

export type ViewedPhoto = Pick<PhotoRow, (typeof photoColumns)[number]> & { category_allows_downloads: Flag | null }

export type GalleryState = ReturnType<typeof createGalleryState>

/** Caches events by slug and by id, and photos by id. A change of one event removes all events from the cache. */
export function createGalleryState({ db, changes }: PlatformContext) {
  const events = new StateCache<string, EventRow>(changes, { max: 2_000 })
  const eventsById = new StateCache<number, EventRow>(changes, { max: 2_000 })
  const photos = new StateCache<number, ViewedPhoto>(changes, { max: 50_000 })
  changes.on('event', () => {
    events.drop()
    eventsById.drop()
  })
  changes.on('photo', (id) => (typeof id === 'number' ? photos.dropKey(id) : photos.drop()))

  return {
    knownEvent: (slug: string): EventRow | undefined => events.get(slug),
    knownPhoto: (id: number): ViewedPhoto | undefined => photos.get(id),
    event: (slug: string): Promise<EventRow | undefined> => events.getOrLoad(slug, () => findEventBySlug(db, slug)),
    eventById: (id: number): Promise<EventRow | undefined> => eventsById.getOrLoad(id, () => findEvent(db, id)),
    photo: (id: number): Promise<ViewedPhoto | undefined> => photos.getOrLoad(id, () => findViewedPhoto(db, id)),
  }
}

const findViewedPhoto = (db: Database, id: number): Promise<ViewedPhoto | undefined> =>
  db
    .selectFrom('photos')
    .leftJoin('categories', 'categories.id', 'photos.category_id')
    .select(photoColumns.map((column) => `photos.${column}` as const))
    .select('categories.allow_downloads as category_allows_downloads')
    .where('photos.id', '=', id)
    .modifyEnd(byKey)
    .executeTakeFirst()

export type MergedGuests = ReturnType<typeof createMergedGuests>

export function createMergedGuests({ db, changes }: PlatformContext) {
  const acting = new StateCache<string, { guestId: string | null }>(changes, { max: 20_000 })
  changes.on('guest', () => acting.drop())

  /** Returns null for an erased guest. */
  async function find(eventId: number, guestId: string): Promise<string | null> {
    const load = async () => ({ guestId: await findActingGuest(db, eventId, guestId) })
    return must(await acting.getOrLoad(guestId, load), 'the acting guest').guestId
  }

  return {
    find,
    /** Throws TOKEN_REVOKED for an erased guest. */
    resolveMerged: async (eventId: number, guestId: string): Promise<string> =>
      assertNotErased(await find(eventId, guestId)),
    /** Returns false for an erased guest, and for a guest who is not cached. Reads no database. */
    isKnown: (guestId: string): boolean => typeof acting.get(guestId)?.guestId === 'string',
  }
}
