import type { Tx } from '../platform/database/tables.ts'
import { downloadedKeys } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'

/** `sweepStorage` quarantines the originals and the stills of images an hour later, so that running downloads can finish. */
export async function retireOriginals(tx: Tx, deleted: readonly PhotoRow[], now: number): Promise<void> {
  if (deleted.length === 0) return
  await tx
    .insertInto('retired_files')
    .values(deleted.flatMap(downloadedKeys).map((key) => ({ key, retired_at: now })))
    .execute()
}
