import type { Database, Tx } from '../platform/database/tables.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { renditionKey, renditionPrefix } from './photo-files.ts'

/** In the transaction that replaces or deletes photos; answers the keys of the files to remove after its commit. */
export async function dropRenditions(tx: Tx, photoIds: readonly number[]): Promise<string[]> {
  const dropped = await tx
    .deleteFrom('photo_renditions')
    .where('photo_id', 'in', photoIds)
    .returning(['event_id', 'filename'])
    .execute()
  return dropped.map(({ event_id, filename }) => renditionKey(event_id, filename))
}

/**
 * "Renditions are dropped" with the archiving. Archiving is an operation of the events, which know nothing of
 * photos; so this looks at what is, not at what was told, and a crash in between is made up for by the next run. The
 * rows go last: while one stands, the event is found again. Until then nobody is served, the event being archived.
 */
export async function dropRenditionsOfArchivedEvents({ db, storage }: PlatformContext): Promise<void> {
  // In a transaction, so that a quiet service need not wake its reader for it.
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

const rowsAtOnce = 500

/** Those whose files were found to be gone or of another size: they are made again when they are wanted. */
export async function forgetRenditions({ db }: PlatformContext, filenames: readonly string[]): Promise<void> {
  for (let first = 0; first < filenames.length; first += rowsAtOnce) {
    const some = filenames.slice(first, first + rowsAtOnce)
    await db.deleteFrom('photo_renditions').where('filename', 'in', some).execute()
  }
}

/** In a copy of the database that goes without their files: all are made again when they are wanted. */
export async function forgetAllRenditions(copy: Database): Promise<void> {
  await copy.deleteFrom('photo_renditions').execute()
}
