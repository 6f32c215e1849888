import type { Tx } from '../platform/database/tables.ts'
import type { StoredFiles } from '../settings/belongings.ts'
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

/** Until they are quarantined. They are not copied anywhere. */
export const retiredFiles: StoredFiles = {
  tables: ['retired_files'],
  isInBackups: false,
  keysOf: async (db) => (await db.selectFrom('retired_files').select('key').execute()).map(({ key }) => key),
  async *list() {},
  count: async () => 0,
  isNamed: async () => false,
}
