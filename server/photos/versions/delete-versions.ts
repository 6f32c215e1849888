import type { EventRow } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { PhotoBelongings } from '../../settings/belongings.ts'
import { dropRenditions } from '../drop-renditions.ts'
import { derivedKeys, downloadedKeys, removeObsoleteFiles } from '../photo-files.ts'
import { getPhoto } from '../photo-rows.ts'
import { retireFiles } from '../retire-originals.ts'
import { getCurrentNumber, type PhotoVersionRow, selectKept } from './version-rows.ts'

const versionsPerBatch = 200

/**
 * Deletes the file of an earlier version. Its row stays with its decisions. Throws NOT_FOUND, EVENT_ARCHIVED, and
 * INVALID_STATE for the current version.
 */
export async function deleteVersion(ctx: AppContext, event: EventRow, photoId: number, number: number): Promise<void> {
  assertNotArchived(event)
  await getPhoto(ctx.db, event.id, photoId)
  if (number === (await getCurrentNumber(ctx.db, photoId))) {
    throw new AppError('INVALID_STATE', { text: 'The current version can only be deleted with the photo.' })
  }
  const deleted = await deleteFiles(ctx, event, (query) =>
    query.where('photo_id', '=', photoId).where('number', '=', number),
  )
  if (deleted === 0) throw new AppError('NOT_FOUND')
}

/** Deletes the files of all earlier versions of an event, and returns how many. Throws EVENT_ARCHIVED, NOT_FOUND. */
export async function deleteAllVersions(ctx: AppContext, event: EventRow): Promise<number> {
  assertNotArchived(event)
  let total = 0
  for (;;) {
    const deleted = await deleteFiles(ctx, event, (query) => query)
    total += deleted
    if (deleted < versionsPerBatch) return total
  }
}

type KeptQuery = ReturnType<typeof selectKept>

async function deleteFiles(ctx: AppContext, event: EventRow, filter: (query: KeptQuery) => KeptQuery): Promise<number> {
  const { count, renditions } = await inTransaction(ctx.db, `event ${event.id}`, async (tx) => {
    await getChangeableEvent(tx, event.id)
    const deleted = await filter(selectKept(tx, event.id)).selectAll().limit(versionsPerBatch).execute()
    const now = ctx.clock.now()
    await retireVersions(tx, deleted, now)
    const renditions: string[] = []
    for (const { photo_id, number, content_hash } of deleted) {
      const row = tx.updateTable('photo_versions').set({ deleted_at: now }).where('photo_id', '=', photo_id)
      await row.where('number', '=', number).execute()
      renditions.push(...(await dropRenditions(tx, [photo_id], content_hash)))
    }
    return { count: deleted.length, renditions }
  })
  await removeObsoleteFiles(ctx, renditions)
  return count
}

/** `sweepStorage` quarantines all files an hour later. */
const retireVersions = (tx: Tx, versions: readonly PhotoVersionRow[], now: number): Promise<void> =>
  retireFiles(
    tx,
    versions.flatMap((version) => [...downloadedKeys(version), ...derivedKeys(version)]),
    now,
  )

export const versionsOfPhotos: PhotoBelongings = {
  tables: ['photo_versions'],
  async deleteFor(tx, photoIds, now) {
    const deleted = await tx.deleteFrom('photo_versions').where('photo_id', 'in', photoIds).returningAll().execute()
    await retireVersions(
      tx,
      deleted.filter(({ deleted_at }) => deleted_at === null),
      now,
    )
  },
}
