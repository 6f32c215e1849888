import { findPictureFile } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { maxBufferedBytes } from '../photos/photo-rules.ts'
import { AppError } from '../platform/app-error.ts'
import { estimateRenditionBytes, readImageHeader } from '../platform/media/image-header.ts'
import type { RenditionFacts, RenditionTask } from '../platform/media/image-tasks.ts'
import { type BackgroundPriority, ImageWorkerLost } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type Box, scaleToFit } from './rendition-rules.ts'

export type PhotoToRender = Pick<
  PhotoRow,
  | 'id'
  | 'event_id'
  | 'filename'
  | 'size_bytes'
  | 'content_hash'
  | 'width'
  | 'height'
  | 'media_type'
  | 'processing_status'
  | 'still_filename'
  | 'still_size_bytes'
>

export type Rendering = Pick<
  RenditionTask,
  'format' | 'quality' | 'watermark' | 'isKept' | 'isOptimized' | 'isCropped'
> & {
  base: Box
  boxes: Box[]
}

/** The caller must commit or discard the staged file. */
export type RenderedPicture = { stagedPath: string; facts: RenditionFacts }

/**
 * Makes one picture per box; the source is decoded once, into `base`. Throws FileMissing, PREVIEW_UNAVAILABLE,
 * StorageFull.
 */
export async function renderPhoto(
  ctx: PlatformContext,
  photo: PhotoToRender,
  { boxes, ...rendering }: Rendering,
  background?: BackgroundPriority,
): Promise<RenderedPicture[]> {
  const { storage } = ctx
  const source = findPictureFile(photo)
  if (!source) throw new AppError('PREVIEW_UNAVAILABLE')
  const pixels = boxes.map((box) => pixelsInside(photo, box))
  // An upper limit: one byte per pixel is enough for photos, but noise as PNG needs four.
  await storage.ensureSpaceFor(sum(pixels) * (rendering.format === 'png' ? 4 : 1))
  const targets = await Promise.all(boxes.map(async (box) => ({ box, targetPath: await storage.stage() })))
  try {
    const render = (sourcePath: string) =>
      runTask(
        ctx,
        { ...rendering, kind: 'rendition', sourcePath, targets, maxBufferedBytes },
        pixelsInside(photo, rendering.base),
        background,
      )
    const facts = await storage.withLocalFile(source.key, render, source.sizeBytes)
    return targets.flatMap(({ targetPath: stagedPath }, index) => {
      const made = facts[index]
      return made ? [{ stagedPath, facts: made }] : []
    })
  } catch (error) {
    await Promise.all(targets.map(({ targetPath }) => storage.discard(targetPath)))
    throw error
  }
}

async function runTask(
  { imageWorkers, log }: PlatformContext,
  task: RenditionTask,
  pixels: number,
  background: BackgroundPriority | undefined,
): Promise<RenditionFacts[]> {
  const header = await readImageHeader(task.sourcePath)
  if (!header) throw new AppError('PREVIEW_UNAVAILABLE')
  try {
    const result = await imageWorkers.run(task, estimateRenditionBytes(header, task, pixels), background)
    if (result.outcome === 'made') return result.facts
    log.warn({ reason: result.reason }, 'A stored picture cannot be decoded')
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker was lost over a stored picture')
  }
  throw new AppError('PREVIEW_UNAVAILABLE')
}

function pixelsInside(photo: PhotoToRender, box: Box): number {
  const { width, height } = scaleToFit(photo, box)
  return width * height
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
