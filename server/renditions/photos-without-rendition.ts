import { isUploadedAfter } from '../photos/photo-rows.ts'
import type { Database } from '../platform/database/tables.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import { type PhotoToRender, renderColumns } from './render-photo.ts'
import { fullSizePx, type RenditionRequest } from './rendition-rows.ts'

const pageSize = 50

/**
 * Yields images, and videos with a still, that lack the rendition, in upload order. For a standard width, a rendition
 * of any standard width counts, because all are made together.
 */
export async function* listPhotosWithoutRendition(
  db: Database,
  eventId: number,
  request: RenditionRequest,
): AsyncGenerator<PhotoToRender, void> {
  let after = { uploaded_at: 0, id: 0 }
  for (;;) {
    // On SQLite, a transaction runs on the writer thread, so this query does not start the reader thread.
    const page = await inSnapshot(db, (tx) => readPage(tx, eventId, request, after))
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last
  }
}

const readPage = (
  db: Database,
  eventId: number,
  { profile, format, bound_px }: RenditionRequest,
  after: { uploaded_at: number; id: number },
) =>
  db
    .selectFrom('photos')
    .select([...renderColumns, 'uploaded_at'])
    .where('event_id', '=', eventId)
    .where(isUploadedAfter(after))
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
            .where('made.bound_px', bound_px === fullSizePx ? '=' : '!=', fullSizePx),
        ),
      ),
    )
    .orderBy('uploaded_at')
    .orderBy('id')
    .limit(pageSize)
    .execute()
