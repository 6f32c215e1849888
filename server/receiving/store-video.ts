import { chooseStoredName, originalKey, sanitizeOriginalName } from '../photos/photo-files.ts'
import { createSearchText } from '../photos/photo-names.ts'
import { validateVideo } from '../photos/photo-rules.ts'
import { rollBackFiles } from '../photos/roll-back-files.ts'
import { findLocationPatches } from '../platform/media/location/find-location.ts'
import { readVideoHeader, videoKinds } from '../platform/media/video-header.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { RecordFile } from './file-columns.ts'

/** Removes the stored file if anything throws. `process-video.ts` adds still, size and duration later. */
export async function storeVideo<T>(
  { storage, settings, clock }: AppContext,
  eventId: number,
  file: ReceivedFile,
  record: RecordFile<T>,
): Promise<T> {
  const kind = validateVideo(await readVideoHeader(file.path, file.sizeBytes, file.head), await settings.values())
  const { extension, mimeType } = videoKinds[kind]
  const filename = chooseStoredName(file.finalName, extension, clock.now())
  const key = originalKey(eventId, filename)
  try {
    const [location] = await Promise.all([findLocationPatches(file.path, kind, file), file.synced])
    await storage.commit([{ stagedPath: file.path, key }])
    const names = { filename, original_filename: sanitizeOriginalName(file.clientName, extension) }
    const stored = {
      ...names,
      search_text: createSearchText(names),
      media_type: 'video' as const,
      mime_type: mimeType,
      size_bytes: file.sizeBytes,
      content_hash: file.contentHash,
      crc32: file.crc32,
      ...unknownColumns,
      processing_status: 'processing' as const,
    }
    return await record(stored, location)
  } catch (error) {
    await rollBackFiles(storage, [key], error)
    throw error
  }
}

const unknownColumns = {
  width: null,
  height: null,
  duration: null,
  captured_at: null,
  thumbhash: null,
  thumbnail_filename: null,
  thumbnail_size_bytes: null,
  thumbnail_sha256: null,
  still_filename: null,
  still_size_bytes: null,
  processing_error: null,
}
