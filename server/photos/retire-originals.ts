import type { Tx } from '../platform/database/tables.ts'
import type { StoredFiles } from '../settings/belongings.ts'
import { downloadedKeys, type StoredNames } from './photo-files.ts'

/** `sweepStorage` quarantines the originals and the stills of images an hour later, so that running downloads can finish. */
export const retireOriginals = (tx: Tx, deleted: readonly StoredNames[], now: number): Promise<void> =>
  retireFiles(tx, deleted.flatMap(downloadedKeys), now)

/** Limits the SQL parameters of one query. */
const keysPerQuery = 1000

/** Like `retireOriginals`, for any files. */
export async function retireFiles(tx: Tx, keys: readonly string[], now: number): Promise<void> {
  for (let start = 0; start < keys.length; start += keysPerQuery) {
    const rows = keys.slice(start, start + keysPerQuery).map((key) => ({ key, retired_at: now }))
    await tx.insertInto('retired_files').values(rows).execute()
  }
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
