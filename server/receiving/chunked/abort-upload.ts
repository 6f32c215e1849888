import { AppError } from '../../platform/errors/app-error.ts'
import type { UploadsContext } from './upload-gate.ts'
import { findUpload, type UploadRow } from './upload-rows.ts'

/** Throws NOT_FOUND, and INVALID_STATE for a completed upload. */
export function abortUpload({ db, storage, uploadGate }: UploadsContext, { id }: UploadRow): Promise<void> {
  return uploadGate.abort(id, async () => {
    const aborted = await db
      .deleteFrom('chunked_uploads')
      .where('id', '=', id)
      .where('status', '!=', 'completed')
      .returning('parted_handle')
      .executeTakeFirst()
    // If another node has completed the upload at the same time, its file belongs to a photo and must stay.
    if (aborted) return storage.multipart.discard(aborted.parted_handle)
    if (!(await findUpload(db, id))) throw new AppError('NOT_FOUND')
    throw new AppError('INVALID_STATE', { text: 'The upload is complete. Delete its photo instead.' })
  })
}
