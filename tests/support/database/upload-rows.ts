import type { Database } from '../../../server/platform/database/tables.ts'
import { findUpload, type UploadRow } from '../../../server/receiving/chunked/upload-rows.ts'

/** Stores an upload session, by default of event 1. */
export async function addUpload(db: Database, upload: Partial<UploadRow> & { id: string }): Promise<UploadRow> {
  await db
    .insertInto('chunked_uploads')
    .values({
      event_id: 1,
      user_id: 1,
      guest_id: null,
      filename: 'photo.jpg',
      size_bytes: 1000,
      replaces_photo_id: null,
      status: 'in_progress',
      problem: null,
      photo_id: null,
      parted_handle: upload.id,
      created_at: 0,
      active_at: 0,
      expires_at: 1000,
      ...upload,
    })
    .execute()
  return (await findUpload(db, upload.id)) as UploadRow
}
