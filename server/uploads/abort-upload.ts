import { Refusal } from '../platform/refusal.ts'
import { partedKey } from './upload-files.ts'
import { findUpload, type UploadRow } from './upload-rows.ts'
import type { UploadsHouse } from './uploads-house.ts'

/** Ends an upload and throws away what it has brought. Throws INVALID_STATE for a completed one: its photo stays. */
export function abortUpload({ db, storage, uploadGate }: UploadsHouse, { id }: UploadRow): Promise<void> {
  return uploadGate.abort(id, async () => {
    const upload = await findUpload(db, id)
    if (!upload) throw new Refusal('NOT_FOUND')
    if (upload.status === 'completed') {
      throw new Refusal('INVALID_STATE', { text: 'The upload is complete: delete its photo instead.' })
    }
    await db.deleteFrom('chunked_uploads').where('id', '=', id).execute()
    await storage.parted.remove(partedKey(upload))
  })
}
