import type { Tx } from '../platform/database/tables.ts'
import { originalKey } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'

/** `sweepStorage` quarantines the originals an hour later, so that running downloads can finish. */
export async function retireOriginals(
  tx: Tx,
  deleted: ReadonlyArray<Pick<PhotoRow, 'event_id' | 'filename'>>,
  now: number,
): Promise<void> {
  if (deleted.length === 0) return
  await tx
    .insertInto('retired_files')
    .values(deleted.map(({ event_id, filename }) => ({ key: originalKey(event_id, filename), retired_at: now })))
    .execute()
}
