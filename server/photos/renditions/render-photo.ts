import { must } from '../../../contract/must.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { RenditionFacts, RenditionTask, TaskFacts, ThumbnailTask } from '../../platform/media/image-tasks.ts'
import { type BackgroundPriority, ImageWorkerLost } from '../../platform/media/image-workers.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getPictureFile } from '../photo-files.ts'
import type { PhotoRow } from '../photo-rows.ts'
import { maxBufferedBytes } from '../photo-rules.ts'
import { type Box, scaleToFit } from './rendition-rules.ts'

export const renderColumns = [
  'id',
  'event_id',
  'filename',
  'size_bytes',
  'content_hash',
  'width',
  'height',
  'media_type',
  'processing_status',
  'still_filename',
  'still_size_bytes',
] as const satisfies Array<keyof PhotoRow>

export type PhotoToRender = Pick<PhotoRow, (typeof renderColumns)[number]>

export type Rendering = Pick<
  RenditionTask,
  'format' | 'quality' | 'watermark' | 'isKept' | 'isOptimized' | 'isCropped'
> & {
  base: Box
  boxes: Box[]
}

/** The function that gets a RenderedPicture must commit or discard the staged file. */
export type RenderedPicture = { stagedPath: string; facts: RenditionFacts }

/**
 * Decodes the photo once, at the size of `base`, and makes a picture for each box. Throws FileMissing,
 * PREVIEW_UNAVAILABLE, StorageFull, and BackgroundCanceled for a background job.
 */
export async function renderPhoto(
  ctx: PlatformContext,
  photo: PhotoToRender,
  { boxes, ...rendering }: Rendering,
  background?: BackgroundPriority,
): Promise<RenderedPicture[]> {
  const { storage } = ctx
  const source = getPictureFile(photo)
  const pixels = boxes.reduce((total, box) => total + pixelsInside(photo, box), 0)
  // An upper limit: noise as PNG needs four bytes per pixel; in the other formats, one is enough for a photo.
  await storage.ensureSpaceFor(pixels * (rendering.format === 'png' ? 4 : 1))
  const targets = await Promise.all(boxes.map(async (box) => ({ box, targetPath: await storage.stage() })))
  try {
    const render = (sourcePath: string) => {
      const task = { ...rendering, kind: 'rendition' as const, sourcePath, targets, maxBufferedBytes }
      return runPictureTask(ctx, task, background)
    }
    const facts = await storage.withLocalFile(source.key, render, source.sizeBytes)
    return targets.map(({ targetPath: stagedPath }, index) => ({ stagedPath, facts: must(facts[index], 'a picture') }))
  } catch (error) {
    await Promise.all(targets.map(({ targetPath }) => storage.discard(targetPath)))
    throw error
  }
}

/** Throws PREVIEW_UNAVAILABLE if the picture cannot be decoded or its image worker fails. */
export async function runPictureTask<Task extends ThumbnailTask | RenditionTask>(
  { imageWorkers, log }: PlatformContext,
  task: Task,
  background?: BackgroundPriority,
): Promise<TaskFacts<Task>> {
  try {
    const result = await imageWorkers.run(task, background)
    if (result.outcome === 'made') return result.facts
    log.warn({ reason: result.reason }, 'Could not decode a stored picture')
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while processing a stored picture')
  }
  throw new AppError('PREVIEW_UNAVAILABLE')
}

function pixelsInside(photo: PhotoToRender, box: Box): number {
  const { width, height } = scaleToFit(photo, box)
  return width * height
}
