import { must } from '../../../contract/must.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { imageKinds } from '../../platform/media/image-kinds.ts'
import type { BackgroundPriority } from '../../platform/media/image-workers.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { newFileStem, removeObsoleteFiles, renditionKey, rollBackFiles } from '../photo-files.ts'
import { getPhoto } from '../photo-rows.ts'
import { isContentKept } from '../versions/version-rows.ts'
import { type PhotoToRender, renderPhoto } from './render-photo.ts'
import { fullSizePx, type RenditionRequest, type RenditionRow } from './rendition-rows.ts'
import { createProcessingError, requestedBox } from './rendition-rules.ts'

const standardQuality = 80
const fullSizeQuality = 90

export type RenditionSet = Omit<RenditionRequest, 'bound_px'> & {
  bounds: readonly number[]
  /**
   * The largest width of the set, including widths that are already stored. All pictures are scaled from a picture of
   * this width, so that a picture that is made again is identical.
   */
  basePx: number
}

/**
 * Discards pictures that another process has stored first. Throws the errors of `renderPhoto`, NOT_FOUND,
 * EVENT_ARCHIVED, and PHOTO_PROCESSING if the file of the photo was replaced and is no version.
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
  const files = pictures.map(({ stagedPath, facts }, index) => {
    const bound_px = must(bounds[index], 'the width of a picture')
    const filename = `${newFileStem(now)}_${bound_px}${imageKinds[format].extension}`
    const row: RenditionRow = {
      photo_id: photo.id,
      content_hash: photo.content_hash,
      variant: profile.variant,
      bound_px,
      format,
      event_id: photo.event_id,
      filename,
      width: facts.width,
      height: facts.height,
      size_bytes: facts.sizeBytes,
      sha256: facts.sha256,
      crc32: facts.crc32,
      created_at: now,
    }
    return { stagedPath, key: renditionKey(photo.event_id, filename), row }
  })
  let recorded: Set<string>
  try {
    await storage.commit(files)
    const rows = files.map(({ row }) => row)
    recorded = await insertRows(ctx, photo, rows)
  } catch (error) {
    const keys = files.map(({ key }) => key)
    await rollBackFiles(storage, keys, error)
    await Promise.all(pictures.map(({ stagedPath }) => storage.discard(stagedPath)))
    throw error
  }
  const unrecorded = files.filter(({ row }) => !recorded.has(row.filename))
  await removeObsoleteFiles(
    ctx,
    unrecorded.map(({ key }) => key),
  )
}

const insertRows = ({ db }: PlatformContext, photo: PhotoToRender, rows: RenditionRow[]): Promise<Set<string>> =>
  inTransaction(db, `event ${photo.event_id}`, async (tx) => {
    const present = await getPhoto(tx, photo.event_id, photo.id)
    await getChangeableEvent(tx, photo.event_id)
    if (present.content_hash !== photo.content_hash && !(await isContentKept(tx, photo))) throw createProcessingError()
    const inserted = await tx
      .insertInto('photo_renditions')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning('filename')
      .execute()
    return new Set(inserted.map(({ filename }) => filename))
  })
