import { findEvent } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { newFileStem, renditionKey } from '../photos/photo-files.ts'
import { findPhoto } from '../photos/photo-rows.ts'
import { rollBackFiles } from '../photos/roll-back-files.ts'
import { AppError } from '../platform/app-error.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { imageKinds } from '../platform/media/image-header.ts'
import type { BackgroundPriority } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type PhotoToRender, type RenderedPicture, renderPhoto } from './render-photo.ts'
import { fullSizePx, type RenditionRequest, type RenditionRow } from './rendition-rows.ts'
import { createProcessingError, requestedBox } from './rendition-rules.ts'

const standardQuality = 80
const fullSizeQuality = 90

export type RenditionSet = Omit<RenditionRequest, 'bound_px'> & {
  bounds: readonly number[]
  /** The largest width of the complete set, so that pictures that are made again stay identical. */
  basePx: number
}

/**
 * Stores all pictures or none. Throws the errors of `renderPhoto`, and NOT_FOUND, EVENT_ARCHIVED or PHOTO_PROCESSING if
 * the photo has changed.
 */
export async function storeRenditions(
  ctx: PlatformContext,
  photo: PhotoToRender,
  { profile, format, bounds, basePx }: RenditionSet,
  background?: BackgroundPriority,
): Promise<void> {
  const { storage, clock } = ctx
  const isFullSize = bounds.includes(fullSizePx)
  const rendering = {
    base: requestedBox({ profile, bound_px: basePx }),
    boxes: bounds.map((bound_px) => requestedBox({ profile, bound_px })),
    format,
    quality: isFullSize ? fullSizeQuality : standardQuality,
    watermark: profile.watermark,
    isKept: true,
    // Optimizing holds the whole picture in memory, which is too much for full-size pictures.
    isOptimized: !isFullSize,
    isCropped: profile.crop !== undefined,
  }
  const pictures = await renderPhoto(ctx, photo, rendering, background)
  const now = clock.now()
  const toRow = ({ facts }: RenderedPicture, index: number): RenditionRow => {
    const bound_px = bounds[index] ?? 0
    return {
      photo_id: photo.id,
      content_hash: photo.content_hash,
      variant: profile.variant,
      bound_px,
      format,
      event_id: photo.event_id,
      filename: `${newFileStem(now)}_${bound_px}${imageKinds[format].extension}`,
      width: facts.width,
      height: facts.height,
      size_bytes: facts.sizeBytes,
      sha256: facts.sha256,
      crc32: facts.crc32,
      created_at: now,
    }
  }
  const rows = pictures.map(toRow)
  const keys = rows.map(({ filename }) => renditionKey(photo.event_id, filename))
  try {
    await storage.commit(pictures.map(({ stagedPath }, index) => ({ stagedPath, key: keys[index] ?? '' })))
    const recorded = await insertRows(ctx, photo, rows)
    await Promise.all(keys.filter((_, index) => !recorded.has(rows[index]?.filename ?? '')).map(storage.remove))
  } catch (error) {
    await rollBackFiles(storage, keys, error)
    await Promise.all(pictures.map(({ stagedPath }) => storage.discard(stagedPath)))
    throw error
  }
}

const insertRows = ({ db }: PlatformContext, photo: PhotoToRender, rows: RenditionRow[]): Promise<Set<string>> =>
  inTransaction(db, `event ${photo.event_id}`, async (tx) => {
    const event = await findEvent(tx, photo.event_id)
    const present = await findPhoto(tx, photo.event_id, photo.id)
    if (!event || !present) throw new AppError('NOT_FOUND')
    assertNotArchived(event)
    if (present.content_hash !== photo.content_hash) throw createProcessingError()
    const inserted = await tx
      .insertInto('photo_renditions')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning('filename')
      .execute()
    return new Set(inserted.map(({ filename }) => filename))
  })
