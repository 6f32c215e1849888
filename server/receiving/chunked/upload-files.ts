import { eventPrefix } from '../../events/event-rules.ts'
import { newFileStem, originalKey } from '../../photos/photo-files.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { UploadsContext } from './upload-gate.ts'
import type { UploadRow } from './upload-rows.ts'

type NewUpload = Pick<UploadRow, 'id' | 'event_id' | 'filename'>

/** Returns the handle of the file. The key of the original is chosen now, so that a bucket needs no copy on commit. */
export const createUploadFile = (
  { storage, clock }: Pick<UploadsContext, 'storage' | 'clock'>,
  { id, event_id: eventId, filename }: NewUpload,
): Promise<string> =>
  storage.multipart.begin(
    `${eventPrefix(eventId)}/${id}`,
    originalKey(eventId, newFileStem(clock.now()) + normalizeExtension(filename)),
  )

function normalizeExtension(filename: string): string {
  const [extension = ''] = /\.[a-z0-9]{1,10}$/.exec(filename.trim().toLowerCase()) ?? []
  return storedExtensions[extension] ?? extension
}

/** Stored files have the extension of their content, see `imageKinds`. */
const storedExtensions: Record<string, string> = { '.jpeg': '.jpg', '.heif': '.heic', '.hif': '.heic' }

/** Replaces the file of an upload whose stored chunks are missing or damaged. All chunks must be sent again. */
export async function restartUpload(ctx: UploadsContext, upload: UploadRow): Promise<void> {
  const { db, storage } = ctx
  const handle = await createUploadFile(ctx, upload)
  const isRestarted = await inTransaction(db, `event ${upload.event_id}`, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('chunked_uploads')
      .set({ parted_handle: handle, received_bytes: 0 })
      .where('id', '=', upload.id)
      .where('status', '=', 'in_progress')
      .where('parted_handle', '=', upload.parted_handle)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    await tx.deleteFrom('received_chunks').where('upload_id', '=', upload.id).execute()
    await tx.deleteFrom('begun_chunks').where('upload_id', '=', upload.id).execute()
    return true
  })
  await storage.multipart.discard(isRestarted ? upload.parted_handle : handle)
}
