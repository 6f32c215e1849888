import { eventPrefix } from '../events/event-rules.ts'
import { newFileStem, originalKey } from '../photos/photo-files.ts'
import type { UploadRow } from './upload-rows.ts'
import type { UploadsContext } from './uploads-context.ts'

type NewUpload = Pick<UploadRow, 'id' | 'event_id' | 'filename'>

/**
 * Opens the file of an upload in the storage; answers its handle. It goes with the files of its event. Where it will stand
 * as an original is settled by now, for the storage that has it stand there without a copy: with the extension of the
 * content, if the name of the file is a true one.
 */
export const beginFile = (
  { storage, clock }: Pick<UploadsContext, 'storage' | 'clock'>,
  { id, event_id: eventId, filename }: NewUpload,
): Promise<string> =>
  storage.parted.begin(
    `${eventPrefix(eventId)}/${id}`,
    originalKey(eventId, newFileStem(clock.now()) + trueExtension(filename)),
  )

function trueExtension(filename: string): string {
  const [extension = ''] = /\.[a-z0-9]{1,10}$/.exec(filename.trim().toLowerCase()) ?? []
  return extension === '.jpeg' ? '.jpg' : extension
}
