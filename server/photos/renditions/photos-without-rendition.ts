import type { EventRow } from '../../events/event-rows.ts'
import type { Database } from '../../platform/database/tables.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import { orderPhotos, photoSortOrders, uploadOrder } from '../photo-orders.ts'
import { isUploadedAfter } from '../photo-rows.ts'
import { type PhotoToRender, renderColumns } from './render-photo.ts'
import type { RenditionRequest } from './rendition-rows.ts'
import { widestPx } from './rendition-rules.ts'

const pageSize = 50

/**
 * Yields images, and videos with a still, that lack the rendition: first those that the gallery shows first, then the
 * others in upload order. For a standard width below `widestPx`, any of these widths counts, because all are made
 * together, unless `isExact`.
 */
export async function* listPhotosWithoutRendition(
  db: Database,
  { id: eventId, default_photo_sort }: Pick<EventRow, 'id' | 'default_photo_sort'>,
  request: RenditionRequest,
  { isExact = false } = {},
): AsyncGenerator<PhotoToRender, void> {
  const lacked = { ...request, countsOthers: !isExact && request.bound_px < widestPx }
  const order = photoSortOrders[default_photo_sort]
  const first = await inSnapshot(db, (tx) =>
    orderPhotos(selectPhotosWithout(tx, eventId, lacked), order)
      .limit(pageSize)
      .execute(),
  )
  yield* first
  if (first.length < pageSize) return
  let after = { uploaded_at: 0, id: 0 }
  for (;;) {
    // On SQLite, a transaction runs on the writer thread, so this query does not start the reader thread.
    const page = await inSnapshot(db, (tx) => readPage(tx, eventId, lacked, after))
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last
  }
}

/** Returns whether the widest rendition of any photo of the event was requested, and made. */
export async function isWidestRequested(
  db: Database,
  eventId: number,
  { profile, format }: RenditionRequest,
): Promise<boolean> {
  const made = await inSnapshot(db, (tx) =>
    tx
      .selectFrom('photo_renditions')
      .select('photo_id')
      .where('event_id', '=', eventId)
      .where('variant', '=', profile.variant)
      .where('format', '=', format)
      .where('bound_px', '=', widestPx)
      .limit(1)
      .executeTakeFirst(),
  )
  return made !== undefined
}

/** `countsOthers`: any standard width below `widestPx` counts. */
type LackedRendition = RenditionRequest & { countsOthers: boolean }

const readPage = (
  db: Database,
  eventId: number,
  request: LackedRendition,
  after: { uploaded_at: number; id: number },
) =>
  orderPhotos(selectPhotosWithout(db, eventId, request).where(isUploadedAfter(after)), uploadOrder)
    .limit(pageSize)
    .execute()

const selectPhotosWithout = (
  db: Database,
  eventId: number,
  { profile, format, bound_px, countsOthers }: LackedRendition,
) =>
  db
    .selectFrom('photos')
    .select([...renderColumns, 'uploaded_at'])
    .where('event_id', '=', eventId)
    .where(({ eb, or }) => or([eb('media_type', '=', 'image'), eb('still_filename', 'is not', null)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('photo_renditions as made')
            .select('made.photo_id')
            .whereRef('made.photo_id', '=', 'photos.id')
            .whereRef('made.content_hash', '=', 'photos.content_hash')
            .where('made.variant', '=', profile.variant)
            .where('made.format', '=', format)
            .where((made) => (countsOthers ? made('bound_px', '<', widestPx) : made('bound_px', '=', bound_px))),
        ),
      ),
    )
