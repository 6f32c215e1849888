import type { CameraFacts } from '../../contract/camera-facts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { originalKey } from './photo-files.ts'
import { getPhoto } from './photo-rows.ts'

/** Reads the original. Throws NOT_FOUND, FileMissing, and PREVIEW_UNAVAILABLE if the image worker crashes. */
export async function readCameraFacts(
  { db, storage, imageWorkers }: PlatformContext,
  eventId: number,
  photoId: number,
): Promise<CameraFacts> {
  const { filename, size_bytes } = await getPhoto(db, eventId, photoId)
  const read = (sourcePath: string) => imageWorkers.run({ kind: 'camera', sourcePath })
  const result = await storage.withLocalFile(originalKey(eventId, filename), read, size_bytes).catch((error) => {
    throw error instanceof ImageWorkerLost ? new AppError('PREVIEW_UNAVAILABLE') : error
  })
  if (result.outcome === 'rejected') throw new AppError('PREVIEW_UNAVAILABLE')
  return result.facts
}
