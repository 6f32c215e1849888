import { inTransaction } from '../platform/database/transaction.ts'
import { createUploadFile } from './upload-files.ts'
import type { UploadRow } from './upload-rows.ts'
import type { UploadsContext } from './uploads-context.ts'

/** For an upload whose stored chunks are missing or damaged. No process can complete the old file any more. */
export async function restartUpload(ctx: UploadsContext, upload: UploadRow): Promise<void> {
  const { db, storage } = ctx
  const handle = await createUploadFile(ctx, upload)
  const isRestarted = await inTransaction(db, `event ${upload.event_id}`, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('chunked_uploads')
      .set({ parted_handle: handle })
      .where('id', '=', upload.id)
      .where('status', '=', 'in_progress')
      .where('parted_handle', '=', upload.parted_handle)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    await tx.deleteFrom('received_chunks').where('upload_id', '=', upload.id).execute()
    return true
  })
  await storage.multipart.discard(isRestarted ? upload.parted_handle : handle)
}
