import type { Database, Tx } from '../platform/database/tables.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { renditionKey, renditionPrefix } from './photo-files.ts'

/** Returns the storage keys of the deleted renditions. The caller removes the files after the commit. */
export async function dropRenditions(tx: Tx, photoIds: readonly number[]): Promise<string[]> {
  const dropped = await tx
    .deleteFrom('photo_renditions')
    .where('photo_id', 'in', photoIds)
    .returning(['event_id', 'filename'])
    .execute()
  return dropped.map(({ event_id, filename }) => renditionKey(event_id, filename))
}

/** Archiving does not delete renditions, because events do not use photos. Rows go last, so that the next run repeats it. */
export async function dropRenditionsOfArchivedEvents({ db, storage }: PlatformContext): Promise<void> {
  // A transaction runs on the writer thread, so the idle reader thread need not start.
  const archived = await inSnapshot(db, (tx) =>
    tx
      .selectFrom('events')
      .select('id')
      .where('is_archived', '=', 1)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('photo_renditions').select('filename').whereRef('event_id', '=', 'events.id')),
      )
      .execute(),
  )
  for (const { id } of archived) {
    await storage.removePrefix(renditionPrefix(id))
    await db.deleteFrom('photo_renditions').where('event_id', '=', id).execute()
  }
}

const rowsPerBatch = 500

/** Renditions without a row are made again on demand. */
export async function deleteRenditionRows({ db }: PlatformContext, filenames: readonly string[]): Promise<void> {
  for (let first = 0; first < filenames.length; first += rowsPerBatch) {
    const batch = filenames.slice(first, first + rowsPerBatch)
    await db.deleteFrom('photo_renditions').where('filename', 'in', batch).execute()
  }
}

export async function deleteAllRenditionRows(copy: Database): Promise<void> {
  await copy.deleteFrom('photo_renditions').execute()
}
