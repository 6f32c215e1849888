import type { Database } from '../platform/database/tables.ts'

/** For a copy of the database without the chunks: clients must start these uploads again. */
export async function deleteUnfinishedUploads(copy: Database): Promise<void> {
  await copy.deleteFrom('chunked_uploads').where('status', '=', 'in_progress').execute()
}
