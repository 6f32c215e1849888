import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { getChangeableEvent } from '../events/get-changeable-event.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { dropRenditions } from './drop-renditions.ts'
import { announceDeletions } from './photo-announcements.ts'
import { derivedKeys } from './photo-files.ts'
import { findIdsOfEvent } from './photo-rows.ts'
import { changeTotals, sumTotals } from './photo-totals.ts'
import { type BulkOutcome, processInBatches } from './process-in-batches.ts'
import { retireOriginals } from './retire-originals.ts'

const photosPerBatch = 50
const maxConcurrentDeletes = 8

/**
 * `sweepStorage` quarantines the originals an hour later, so that running downloads can finish. Throws EVENT_ARCHIVED,
 * and NOT_FOUND if the event no longer exists.
 */
export async function deletePhotos(ctx: AppContext, event: EventRow, ids: readonly number[]): Promise<BulkOutcome> {
  assertNotArchived(event)
  const origin = await ctx.settings.linkOrigin()
  return processInBatches(ids, photosPerBatch, (batch) => deleteBatch(ctx, event.id, batch, origin))
}

/** Throws NOT_FOUND for an unknown photo or a photo of another event, and the errors of `deletePhotos`. */
export async function deletePhoto(ctx: AppContext, event: EventRow, photoId: number): Promise<void> {
  const { done } = await deletePhotos(ctx, event, [photoId])
  if (done.length === 0) throw new AppError('NOT_FOUND')
}

async function deleteBatch(
  { db, clock, changes, storage, photoBelongings }: AppContext,
  eventId: number,
  ids: readonly number[],
  origin: string,
): Promise<number[]> {
  const { deleted, files } = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const event = await getChangeableEvent(tx, eventId)
    const photoIds = await findIdsOfEvent(tx, eventId, ids)
    if (photoIds.length === 0) return { deleted: [], files: [] }
    const renditions = await dropRenditions(tx, photoIds)
    const now = clock.now()
    for (const { deleteFor } of photoBelongings) await deleteFor(tx, photoIds, now)
    const deleted = await tx.deleteFrom('photos').where('id', 'in', photoIds).returningAll().execute()
    await changeTotals(tx, eventId, sumTotals(deleted, -1))
    await retireOriginals(tx, deleted, now)
    await announceDeletions(tx, deleted, { event, origin, now })
    return { deleted, files: [...deleted.flatMap(derivedKeys), ...renditions] }
  })
  for (const { id } of deleted) changes.notify('photo', id)
  changes.notify('delivery', eventId)
  for (let start = 0; start < files.length; start += maxConcurrentDeletes) {
    await Promise.all(files.slice(start, start + maxConcurrentDeletes).map((key) => storage.remove(key)))
  }
  return deleted.map(({ id }) => id)
}
