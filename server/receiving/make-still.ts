import { maxBufferedBytes, rejectedImageError } from '../photos/photo-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { ConvertedKind } from '../platform/media/image-kinds.ts'
import type { ImageTask, StillFacts, TaskFacts } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost, type JobPriority } from '../platform/media/image-workers.ts'
import { StillCanceled, UnreadableHeic } from '../platform/media/video/video-stills.ts'
import type { AppContext } from '../settings/app-context.ts'

type Source = { path: string; sizeBytes: number; kind: ConvertedKind }
type StillPaths = { stillPath: string; thumbnailPath: string }

/**
 * Writes the JPEG that is shown for a raw or HEIC file, without a location, and its thumbnail. A raw file without a
 * usable picture gets a neutral one. Throws UNREADABLE_IMAGE and StorageFull.
 */
export async function makeStill(
  ctx: AppContext,
  { path, sizeBytes, kind }: Source,
  { stillPath, thumbnailPath }: StillPaths,
  priority: JobPriority,
): Promise<StillFacts> {
  // The picture of a raw file is a part of it; that of a HEIC file may be larger.
  await ctx.storage.ensureSpaceFor(sizeBytes)
  if (kind === 'heic') await convertHeic(ctx, path, stillPath)
  const raw = kind === 'heic' ? null : { path, kind }
  return readOrReject(ctx, { kind: 'still', sourcePath: stillPath, thumbnailPath, raw, maxBufferedBytes }, priority)
}

/** Throws UNREADABLE_IMAGE, UNAVAILABLE while the service stops, StorageFull and ProgramMissing. */
async function convertHeic({ videoStills, log }: AppContext, sourcePath: string, stillPath: string): Promise<void> {
  try {
    await videoStills.convertHeic({ sourcePath, stillPath })
  } catch (error) {
    if (error instanceof StillCanceled) throw new AppError('UNAVAILABLE')
    if (!(error instanceof UnreadableHeic)) throw error
    const { rejection, reason, message } = error
    log.info({ rejection, reason }, 'A HEIC file was rejected')
    if (rejection === 'damaged') throw rejectedImageError({ cause: 'damage', imageKind: 'heic' })
    if (rejection === 'size' || rejection === 'costly') throw rejectedImageError({ cause: 'size', imageKind: 'heic' })
    throw new AppError('UNREADABLE_IMAGE', { text: message })
  }
}

/** Throws UNREADABLE_IMAGE if the worker fails, StorageFull, and the errors of `rejectedImageError`. */
export async function readOrReject<Task extends ImageTask>(
  { imageWorkers, log }: AppContext,
  task: Task,
  priority: JobPriority,
): Promise<TaskFacts<Task>> {
  const result = await imageWorkers.run(task, priority).catch((error) => {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while processing an image')
    throw new AppError('UNREADABLE_IMAGE')
  })
  if (result.outcome === 'made') return result.facts
  log.info({ reason: result.reason }, 'An image was rejected')
  throw rejectedImageError(result)
}
