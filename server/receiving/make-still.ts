import { maxBufferedBytes, rejectedImageError } from '../photos/photo-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { ConvertedKind } from '../platform/media/image-kinds.ts'
import type { ImageTask, StillFacts, TaskFacts } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost, type JobPriority } from '../platform/media/image-workers.ts'
import type { RawKind } from '../platform/media/raw/detect-raw-kind.ts'
import type { ConversionTask } from '../platform/media/video/video-result.ts'
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
  const paths = { sourcePath: path, stillPath }
  const task = { kind: 'still', sourcePath: stillPath, thumbnailPath, maxBufferedBytes } as const
  const read = (raw: { path: string; kind: RawKind } | null) => readOrReject(ctx, { ...task, raw }, priority)
  if (kind === 'heic') {
    await convert(ctx, { kind }, paths)
    return read(null)
  }
  const raw = { path, kind }
  const facts = await read(raw)
  if (!facts.isHevc) return facts
  const isDecoded = await convert(ctx, { kind: 'raw', rawKind: kind }, paths).then(() => true, toUndecoded)
  return read(isDecoded ? null : raw)
}

function toUndecoded(error: unknown): false {
  if (error instanceof AppError && error.code === 'UNREADABLE_IMAGE') return false
  throw error
}

/** Throws UNREADABLE_IMAGE, UNAVAILABLE while the service stops, StorageFull and ProgramMissing. */
async function convert(
  { videoStills, log }: AppContext,
  task: ConversionTask,
  paths: { sourcePath: string; stillPath: string },
): Promise<void> {
  try {
    await videoStills.convert(task, paths)
  } catch (error) {
    if (error instanceof StillCanceled) throw new AppError('UNAVAILABLE')
    if (!(error instanceof UnreadableHeic)) throw error
    const { rejection, reason, message } = error
    log.info({ kind: task.kind, rejection, reason }, 'A picture was not converted')
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
