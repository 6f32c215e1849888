import type { EventRow } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { dropRenditions } from '../drop-renditions.ts'
import { announceDeletions, announceRestored } from '../photo-announcements.ts'
import { derivedKeys, removeObsoleteFiles } from '../photo-files.ts'
import { findIdsOfEvent } from '../photo-rows.ts'
import { assertCapAllows, changeTotals, sumTotals } from '../photo-totals.ts'
import { type BulkOutcome, processInBatches } from '../process-in-batches.ts'
import { retireOriginals } from '../retire-originals.ts'
import { queueVideo } from '../videos/video-job-rows.ts'
import { deleteTrashedRows, moveRowsBack, moveRowsToTrash } from './trashed-photo-rows.ts'

const photosPerBatch = 500

/**
 * Moves photos to the trash. Their originals and thumbnails stay where they are; renditions are made again after a
 * restore. Throws EVENT_ARCHIVED, and NOT_FOUND if the event no longer exists.
 */
export async function trashPhotos(ctx: AppContext, event: EventRow, ids: readonly number[]): Promise<BulkOutcome> {
  assertNotArchived(event)
  const origin = await ctx.settings.linkOrigin()
  return processInBatches(ids, photosPerBatch, async (batch) => {
    const { photos, files } = await inTransaction(ctx.db, `event ${event.id}`, async (tx) => {
      const current = await getChangeableEvent(tx, event.id)
      const now = ctx.clock.now()
      const ids = await findIdsOfEvent(tx, event.id, batch)
      if (ids.length === 0) return { photos: [], files: [] }
      const files = await dropRenditions(tx, ids)
      const photos = await moveRowsToTrash(tx, ids, now)
      await changeTotals(tx, event.id, sumTotals(photos, -1))
      await announceDeletions(tx, photos, { event: current, origin, now })
      return { photos, files }
    })
    const moved = photos.map(({ id }) => id)
    notifyMoved(ctx, event.id, moved)
    await removeObsoleteFiles(ctx, files)
    return moved
  })
}

/**
 * Moves photos back to their event, with the same ids, marks and order. They lose a category that was deleted. Throws
 * EVENT_ARCHIVED, PHOTO_CAP_REACHED, and NOT_FOUND if the event no longer exists.
 */
export async function restorePhotos(ctx: AppContext, event: EventRow, ids: readonly number[]): Promise<BulkOutcome> {
  assertNotArchived(event)
  const origin = await ctx.settings.linkOrigin()
  return processInBatches(ids, photosPerBatch, async (batch) => {
    const photos = await inTransaction(ctx.db, `event ${event.id}`, async (tx) => {
      const current = await getChangeableEvent(tx, event.id)
      const photos = await moveRowsBack(tx, { eventId: event.id, ids: batch }, ctx.clock.now())
      if (photos.length === 0) return photos
      await assertCapAllows(tx, current, photos.length)
      await changeTotals(tx, event.id, sumTotals(photos))
      for (const photo of photos.filter(({ processing_status }) => processing_status === 'processing')) {
        await queueVideo(tx, photo)
      }
      await announceRestored(tx, photos, { event: current, origin, now: ctx.clock.now() })
      return photos
    })
    const restored = photos.map(({ id }) => id)
    notifyMoved(ctx, event.id, restored)
    for (const { id } of photos.filter(({ processing_status }) => processing_status === 'processing')) {
      ctx.changes.notify('video', id)
    }
    return restored
  })
}

/**
 * Deletes photos in the trash for good, in any state of the event. `photo.deleted` was announced when they were moved
 * there. `sweepStorage` quarantines the originals an hour later.
 */
export const deleteTrashedPhotos = (ctx: AppContext, eventId: number, ids: readonly number[]): Promise<BulkOutcome> =>
  processInBatches(ids, photosPerBatch, async (batch) => {
    const photos = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
      const photos = await deleteTrashedRows(tx, { eventId, ids: batch })
      const deleted = photos.map(({ id }) => id)
      const now = ctx.clock.now()
      for (const { deleteFor } of ctx.photoBelongings) await deleteFor(tx, deleted, now)
      await retireOriginals(tx, photos, now)
      return photos
    })
    await removeObsoleteFiles(ctx, photos.flatMap(derivedKeys))
    return photos.map(({ id }) => id)
  })

function notifyMoved({ changes }: AppContext, eventId: number, photoIds: readonly number[]): void {
  for (const id of photoIds) changes.notify('photo', id)
  changes.notify('delivery', eventId)
}
