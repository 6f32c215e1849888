import type { Database, Tx } from '../platform/database/tables.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { renditionKey, renditionPrefix } from './photo-files.ts'

/**
 * Deletes the rows, or only those of one content. Returns the storage keys of the files, which the calling function removes
 * after the commit.
 */
export async function dropRenditions(tx: Tx, photoIds: readonly number[], contentHash?: string): Promise<string[]> {
  const dropped = await tx
    .deleteFrom('photo_renditions')
    .where('photo_id', 'in', photoIds)
    .$if(contentHash !== undefined, (some) => some.where('content_hash', '=', contentHash ?? ''))
    .returning(['event_id', 'filename'])
    .execute()
  return dropped.map(({ event_id, filename }) => renditionKey(event_id, filename))
}

/** Also drops those of events in the trash. Deletes the files before their rows, so that the next run repeats an interrupted one. */
export async function dropRenditionsOfArchivedEvents({ db, storage }: PlatformContext): Promise<void> {
  // On SQLite, a transaction runs on the writer thread, so this query does not start the reader thread.
  const archived = await inSnapshot(db, (tx) =>
    tx
      .selectFrom('events')
      .select('id')
      .where((event) => event.or([event('is_archived', '=', 1), event('trashed_at', 'is not', null)]))
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

/** These renditions are made again when they are requested. */
export async function deleteRenditionRows({ db }: PlatformContext, filenames: readonly string[]): Promise<void> {
  for (let first = 0; first < filenames.length; first += rowsPerBatch) {
    const batch = filenames.slice(first, first + rowsPerBatch)
    await db.deleteFrom('photo_renditions').where('filename', 'in', batch).execute()
  }
}

export async function deleteAllRenditionRows(copy: Database): Promise<void> {
  await copy.deleteFrom('photo_renditions').execute()
}
