import type { Database } from '../platform/database/tables.ts'

/** In a copy of the database that goes without their chunks: whoever was sending them begins anew. */
export async function forgetUnfinishedUploads(copy: Database): Promise<void> {
  await copy.deleteFrom('chunked_uploads').where('status', '=', 'in_progress').execute()
}
