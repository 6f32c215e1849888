import { recordLocation } from '../photos/location-rows.ts'
import type { PhotoRow, PhotoTable } from '../photos/photo-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { LocationPatches } from '../platform/media/location/find-location.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import { queueVideo } from '../videos/video-job-rows.ts'
import type { RecordFile } from './file-columns.ts'
import { storePicture } from './store-picture.ts'
import { storeVideo } from './store-video.ts'

/** Throws UNSUPPORTED_MEDIA_TYPE for an empty file, and the errors of `storePicture` and `storeVideo`. */
export function storeFile<T>(
  ctx: AppContext,
  eventId: number,
  { file, family }: { file: ReceivedFile; family: PhotoTable['media_type'] },
  record: RecordFile<T>,
): Promise<T> {
  if (file.sizeBytes === 0) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { text: 'The file is empty.' })
  const store = family === 'video' ? storeVideo<T> : storePicture<T>
  return store(ctx, eventId, file, record)
}

/** After the commit call `changes.notify('video', …)` for videos. */
export async function recordFile(tx: Tx, photo: PhotoRow, location: LocationPatches | null): Promise<void> {
  await recordLocation(tx, photo, location)
  if (photo.media_type === 'video') await queueVideo(tx, photo)
}
