import { eventPrefix } from '../events/event-rules.ts'
import { newFileStem, originalKey } from '../photos/photo-files.ts'
import type { UploadRow } from './upload-rows.ts'
import type { UploadsContext } from './uploads-context.ts'

type NewUpload = Pick<UploadRow, 'id' | 'event_id' | 'filename'>

/**
 * Returns the handle of the new file. The key of the original is chosen now, so that object storage needs no copy on
 * commit.
 */
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
  return extension === '.jpeg' ? '.jpg' : extension
}
