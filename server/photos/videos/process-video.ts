import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { PictureFacts } from '../../platform/media/image-tasks.ts'
import type { VideoKind } from '../../platform/media/video/video-header.ts'
import type { VideoFacts } from '../../platform/media/video/video-result.ts'
import { UnreadableVideo } from '../../platform/media/video/video-stills.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { newFileStem, originalKey, rollBackFiles, stillKey, thumbnailKey } from '../photo-files.ts'
import type { PhotoRow } from '../photo-rows.ts'
import { maxBufferedBytes } from '../photo-rules.ts'
import { changeTotals } from '../photo-totals.ts'
import { dropVideoJob, type VideoJob } from './video-job-rows.ts'

/**
 * Throws only errors that are not caused by the video, such as StillCanceled, ProgramMissing, StorageFull and
 * ImageWorkerLost.
 */
export async function processVideo(ctx: AppContext, job: VideoJob, signal: AbortSignal): Promise<void> {
  const { db, storage, log } = ctx
  const video = await db.selectFrom('photos').selectAll().where('id', '=', job.photo_id).executeTakeFirst()
  if (!video || video.content_hash !== job.content_hash) return dropVideoJob(db, job)
  const [stillPath, thumbnailPath] = await Promise.all([storage.stage(), storage.stage()])
  try {
    const facts = await extractStill(ctx, video, stillPath, signal)
    const still = await makeThumbnail(ctx, stillPath, thumbnailPath)
    await storeFiles(ctx, video, { ...facts, ...still, stillPath, thumbnailPath })
  } catch (error) {
    const reason = getFailureReason(error)
    if (reason === null) throw error
    log.info({ photoId: video.id, reason }, 'Could not process a video')
    await failVideo(ctx, job, reason)
  } finally {
    await Promise.all([storage.discard(stillPath), storage.discard(thumbnailPath)])
  }
}

export const failVideo = (ctx: AppContext, job: VideoJob, reason: string): Promise<boolean> =>
  finishJob(ctx, job, { processing_status: 'failed', processing_error: reason })

/** Returns null for errors that are not caused by the video or its missing file. */
function getFailureReason(error: unknown): string | null {
  if (error instanceof UnreadableVideo) return error.message
  return error instanceof FileMissing ? 'The file of the video is missing from the storage.' : null
}

const extractStill = (
  { storage, videoStills, clock }: AppContext,
  video: PhotoRow,
  stillPath: string,
  signal: AbortSignal,
): Promise<VideoFacts> =>
  storage.withLocalFile(
    originalKey(video.event_id, video.filename),
    (sourcePath) => {
      // The stored file has the extension of its content.
      const kind = extname(video.filename).slice(1) as VideoKind
      return videoStills.capture({ sourcePath, kind, stillPath, now: clock.now(), signal })
    },
    video.size_bytes,
  )

type StillFacts = Pick<PictureFacts, 'thumbhash' | 'thumbnail'> & { stillBytes: number }

async function makeThumbnail(
  { storage, imageWorkers }: AppContext,
  stillPath: string,
  thumbnailPath: string,
): Promise<StillFacts> {
  const file = await open(stillPath, 'r')
  try {
    const { size: stillBytes } = await file.stat()
    await storage.ensureSpaceFor(stillBytes)
    const task = { kind: 'thumbnail', sourcePath: stillPath, thumbnailPath, maxBufferedBytes } as const
    const [result] = await Promise.all([imageWorkers.run(task), storage.sync(file)])
    if (result.outcome === 'rejected') throw new UnreadableVideo(noPictureMessage)
    const { thumbhash, thumbnail } = result.facts
    return { thumbhash, thumbnail, stillBytes }
  } finally {
    await file.close()
  }
}

const noPictureMessage = 'No preview of the video could be created.'

async function storeFiles(
  ctx: AppContext,
  video: PhotoRow,
  made: VideoFacts & StillFacts & { stillPath: string; thumbnailPath: string },
): Promise<void> {
  const { storage, clock } = ctx
  const stem = newFileStem(clock.now())
  const names = { still_filename: `${stem}_still.jpg`, thumbnail_filename: `${stem}_thumb.jpg` }
  const files = [
    { stagedPath: made.stillPath, key: stillKey(video.event_id, names.still_filename) },
    { stagedPath: made.thumbnailPath, key: thumbnailKey(video.event_id, names.thumbnail_filename) },
  ]
  const keys = files.map(({ key }) => key)
  try {
    await storage.commit(files)
    const isRecorded = await finishJob(
      ctx,
      { photo_id: video.id, content_hash: video.content_hash },
      {
        ...names,
        width: made.width,
        height: made.height,
        duration: made.duration,
        captured_at: video.captured_at ?? made.capturedAt,
        thumbhash: made.thumbhash,
        thumbnail_size_bytes: made.thumbnail.sizeBytes,
        thumbnail_sha256: made.thumbnail.sha256,
        still_size_bytes: made.stillBytes,
        processing_status: 'ready',
      },
    )
    if (!isRecorded) await Promise.all(keys.map(storage.remove))
  } catch (error) {
    await rollBackFiles(storage, keys, error)
    throw error
  }
}

/** Returns false if the video was replaced or deleted, or is no longer `processing`. */
async function finishJob(
  { db, clock, changes }: AppContext,
  job: Pick<VideoJob, 'photo_id' | 'content_hash'>,
  change: Partial<PhotoRow>,
): Promise<boolean> {
  const now = clock.now()
  const found = await db.selectFrom('photos').select('event_id').where('id', '=', job.photo_id).executeTakeFirst()
  if (!found) return false
  const video = await inTransaction(db, `event ${found.event_id}`, async (tx) => {
    await dropVideoJob(tx, job)
    const changed = await tx
      .updateTable('photos')
      .set({ ...change, updated_at: now })
      .where('id', '=', job.photo_id)
      .where('content_hash', '=', job.content_hash)
      .where('processing_status', '=', 'processing')
      .returning(['id', 'event_id', 'uploaded_by'])
      .executeTakeFirst()
    if (!changed) return null
    await changeTotals(tx, changed.event_id, {})
    const data = { did: 'processed', uploaded_by: changed.uploaded_by } as const
    await recordLiveEvent(tx, { type: 'photo', event_id: changed.event_id, photo_id: changed.id, data }, now)
    return changed
  })
  if (!video) return false
  changes.notify('photo', video.id)
  changes.notify('live', video.event_id)
  return true
}
