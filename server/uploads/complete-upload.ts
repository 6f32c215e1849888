import { basename } from 'node:path/posix'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { originalKey } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { type Arrival, receivePhoto } from '../photos/receive-photo.ts'
import { replacePhoto, validateReplaceable } from '../photos/replace-photo.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { ReceivedFile } from '../platform/http/receive-form.ts'
import { type BlockDigest, digestOfBlocks } from '../platform/storage/content-digest.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import { familyOf } from '../settings/file-type-rules.ts'
import { beginAnew } from './begin-anew.ts'
import { holdChunks } from './hold-chunks.ts'
import { findUpload, listChunks, type UploadRow } from './upload-rows.ts'
import { chunkCountOf, missingIndexes, partAt } from './upload-rules.ts'
import type { UploadsContext } from './uploads-context.ts'

/** What the file becomes: a new photo, or the new file of a photo. */
export type Becoming = Pick<Arrival, 'uploadedBy' | 'categoryId' | 'type' | 'isAutoCategorized' | 'isHidden'> & {
  replacesPhotoId?: number | null
}

/**
 * Returns the id of the photo, also when repeated. Rejected content ends the upload; any other error leaves it as it
 * was. Throws MISSING_CHUNKS and the errors of receiving and replacing photos.
 *
 * The chunks are deleted after the commit, so that the upload can be completed again after a crash.
 */
export function completeUpload(
  ctx: UploadsContext,
  event: EventRow,
  { id }: UploadRow,
  becoming: Becoming,
): Promise<number> {
  return ctx.uploadGate.complete(id, async (beingSent) => {
    const upload = await getAnew(ctx, id)
    if (upload.status !== 'in_progress') return outcomeOf(upload)
    assertNotArchived(event)
    return holdChunks(ctx, upload, () => makePhoto(ctx, event, upload, beingSent, becoming))
  })
}

async function makePhoto(
  ctx: UploadsContext,
  event: EventRow,
  upload: UploadRow,
  beingSent: ReadonlySet<number>,
  becoming: Becoming,
): Promise<number> {
  const blocks = await blocksOf(ctx, upload, beingSent)
  const { replacesPhotoId = null } = becoming
  // Before the content is checked: the content is not at fault, and the client can name another photo or none.
  if (replacesPhotoId !== null) await validateReplaceable(ctx, event, replacesPhotoId, familyOf(upload.filename))
  try {
    const { photoId, isKeptInPlace } = await lendToPhotos(ctx, event, upload, blocks, becoming)
    const { parted } = ctx.storage
    const clearing = isKeptInPlace ? parted.remove(upload.parted_handle) : parted.discard(upload.parted_handle)
    await clearing.catch((err) => ctx.log.warn({ err }, 'The chunks of a complete upload could not be removed'))
    return photoId
  } catch (error) {
    // When another process has created the photo at the same time, that is the outcome, whatever has failed here.
    const current = await getAnew(ctx, upload.id)
    if (current.status !== 'in_progress') return outcomeOf(current)
    throw error instanceof CompletedMeanwhile ? allMissing(upload) : await settled(ctx, upload, error)
  }
}

async function getAnew({ db }: UploadsContext, id: string): Promise<UploadRow> {
  const upload = await findUpload(db, id)
  if (!upload) throw new AppError('NOT_FOUND')
  return upload
}

/** Throws the error that ended the upload, and NOT_FOUND once the photo is deleted. */
function outcomeOf({ problem, photo_id }: UploadRow): number {
  if (problem !== null) throw new AppError(problem)
  if (photo_id === null) throw new AppError('NOT_FOUND', { text: 'The photo of this upload has been deleted.' })
  return photo_id
}

const maxReportedMissing = 1000

async function blocksOf(
  { db }: UploadsContext,
  upload: UploadRow,
  beingSent: ReadonlySet<number>,
): Promise<BlockDigest[]> {
  const chunks = await listChunks(db, upload.id)
  const indexes = chunks.map(({ chunk_index }) => chunk_index)
  const received = new Set(indexes.filter((index) => !beingSent.has(index)))
  const missing = missingIndexes(received, chunkCountOf(upload.size_bytes), maxReportedMissing)
  if (missing.length > 0) throw missingChunks(missing)
  return chunks.map(({ chunk_index, sha256, crc32 }) => {
    const sizeBytes = partAt(upload.size_bytes, chunk_index)?.sizeBytes ?? 0
    return { sha256, crc32, sizeBytes }
  })
}

const missingChunks = (missing: number[]): AppError => new AppError('MISSING_CHUNKS', { body: { missing } })

const allMissing = ({ size_bytes }: UploadRow): AppError =>
  missingChunks(missingIndexes(new Set(), chunkCountOf(size_bytes), maxReportedMissing))

async function lendToPhotos(
  ctx: UploadsContext,
  event: EventRow,
  upload: UploadRow,
  blocks: BlockDigest[],
  { replacesPhotoId = null, ...becoming }: Becoming,
): Promise<{ photoId: number; isKeptInPlace: boolean }> {
  const family = familyOf(upload.filename)
  const isDone = (tx: Tx, photoId: number) => markCompleted(tx, upload, photoId)
  const whole = { sizeBytes: upload.size_bytes, ...digestOfBlocks(blocks) }

  async function become(file: ReceivedFile): Promise<PhotoRow> {
    if (replacesPhotoId === null) {
      const inSameTransaction = (tx: Tx, photo: PhotoRow) => isDone(tx, photo.id)
      return receivePhoto(ctx, { event, file, family, ...becoming, inSameTransaction })
    }
    const replacement = { family, categoryId: becoming.categoryId ?? null }
    const inSameTransaction = (tx: Tx) => isDone(tx, replacesPhotoId)
    return (await replacePhoto(ctx, event, replacesPhotoId, file, { ...replacement, inSameTransaction })).photo
  }

  return ctx.storage.parted.lend(upload.parted_handle, whole, async (path, settledKey) => {
    const received = { path, clientName: upload.filename, head: Buffer.alloc(0), synced: Promise.resolve() }
    const settledName = settledKey === null ? {} : { settledName: basename(settledKey) }
    const { id, filename } = await become({ ...whole, ...received, ...settledName })
    return { photoId: id, isKeptInPlace: settledKey === null || originalKey(event.id, filename) === settledKey }
  })
}

class CompletedMeanwhile extends Error {}

/** Runs in the transaction of the photo, so that only one of two processes creates it. */
async function markCompleted(tx: Tx, { id, parted_handle }: UploadRow, photoId: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('chunked_uploads')
    .set({ status: 'completed', photo_id: photoId })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .where('parted_handle', '=', parted_handle)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new CompletedMeanwhile()
}

/** Returns the error to throw, and updates the upload. */
async function settled(ctx: UploadsContext, upload: UploadRow, error: unknown): Promise<unknown> {
  const { db, storage } = ctx
  if (error instanceof FileMissing) {
    await beginAnew(ctx, upload)
    return allMissing(upload)
  }
  const isOfContent = error instanceof AppError && (error.status === 415 || error.status === 422)
  if (isOfContent) {
    const failed = { status: 'failed', problem: error.code } as const
    const running = db.updateTable('chunked_uploads').set(failed).where('id', '=', upload.id)
    const { numUpdatedRows } = await running.where('status', '=', 'in_progress').executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) await storage.parted.discard(upload.parted_handle)
  }
  return error
}
