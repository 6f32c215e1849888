import { basename } from 'node:path/posix'
import { must } from '../../../contract/must.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import { originalKey } from '../../photos/photo-files.ts'
import type { PhotoRow } from '../../photos/photo-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type BlockDigest, digestOfBlocks } from '../../platform/storage/content-digest.ts'
import type { ReceivedFile } from '../../platform/storage/received-file.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { seconds } from '../../platform/time/clock.ts'
import { fileFamily } from '../../settings/file-type-rules.ts'
import { type IncomingPhoto, receivePhoto } from '../receive-photo.ts'
import { assertReplaceable, replacePhoto } from '../replace-photo.ts'
import { restartUpload } from './upload-files.ts'
import type { UploadsContext } from './upload-gate.ts'
import { findUpload, listChunks, type UploadRow } from './upload-rows.ts'
import { countChunks, findPart, listMissingIndexes } from './upload-rules.ts'

/** What the file becomes: a new photo, or the new file of a photo. */
export type CompletionOptions = Omit<
  IncomingPhoto,
  'event' | 'file' | 'family' | 'uploadedAt' | 'inSameTransaction'
> & {
  replacesPhotoId?: number | null
}

/**
 * Returns the id of the photo; a repeated call returns the same id. Rejected content ends the upload, and lost chunks
 * restart it. Throws MISSING_CHUNKS, EVENT_ARCHIVED, NOT_FOUND for a deleted upload or a deleted photo, and the errors
 * of `receivePhoto` and `replacePhoto`.
 */
export function completeUpload(
  ctx: UploadsContext,
  event: EventRow,
  { id }: UploadRow,
  completion: CompletionOptions,
): Promise<number> {
  return ctx.uploadGate.complete(id, async (sendingIndexes) => {
    const upload = await reloadUpload(ctx, id)
    if (upload.status !== 'in_progress') {
      // The process may have ended between the commit and the removal.
      if (upload.problem === null) await removeChunks(ctx, () => ctx.storage.multipart.remove(upload.parted_handle))
      return getOutcome(upload)
    }
    assertNotArchived(event)
    return holdChunks(ctx, upload, () => makePhoto(ctx, event, upload, sendingIndexes, completion))
  })
}

async function makePhoto(
  ctx: UploadsContext,
  event: EventRow,
  upload: UploadRow,
  sendingIndexes: ReadonlySet<number>,
  completion: CompletionOptions,
): Promise<number> {
  const blocks = await loadBlocks(ctx, upload, sendingIndexes)
  const { replacesPhotoId = null } = completion
  // Checked first: an error of this check must not end the upload, because the client can name another photo or none.
  if (replacesPhotoId !== null) await assertReplaceable(ctx, event, replacesPhotoId, fileFamily(upload.filename))
  try {
    const { photoId, isStoredInPlace } = await passToPhotos(ctx, event, upload, blocks, completion)
    const { multipart } = ctx.storage
    // Only after the commit: if the process crashes before the commit, the chunks remain and can be completed again.
    const { parted_handle: handle } = upload
    await removeChunks(ctx, () => (isStoredInPlace ? multipart.remove(handle) : multipart.discard(handle)))
    return photoId
  } catch (error) {
    // If another process has ended the upload in the meantime, the stored outcome replaces this error.
    const current = await reloadUpload(ctx, upload.id)
    if (current.status !== 'in_progress') return getOutcome(current)
    throw error instanceof CompletedConcurrently ? allChunksMissing(upload) : await handleFailure(ctx, upload, error)
  }
}

const removeChunks = ({ log }: UploadsContext, remove: () => Promise<void>): Promise<void> =>
  remove().catch((err) => log.warn({ err }, 'Could not remove the chunks of a complete upload'))

async function reloadUpload({ db }: UploadsContext, id: string): Promise<UploadRow> {
  const upload = await findUpload(db, id)
  if (!upload) throw new AppError('NOT_FOUND')
  return upload
}

/** Throws the error that ended the upload, or NOT_FOUND if the photo is deleted. */
function getOutcome({ problem, photo_id }: UploadRow): number {
  if (problem !== null) throw new AppError(problem)
  if (photo_id === null) throw new AppError('NOT_FOUND', { text: 'The photo of this upload has been deleted.' })
  return photo_id
}

const maxReportedMissing = 1000

async function loadBlocks(
  { db }: UploadsContext,
  upload: UploadRow,
  sendingIndexes: ReadonlySet<number>,
): Promise<BlockDigest[]> {
  const chunks = await listChunks(db, upload.id)
  const indexes = chunks.map(({ chunk_index }) => chunk_index)
  const received = new Set(indexes.filter((index) => !sendingIndexes.has(index)))
  const missing = listMissingIndexes(received, countChunks(upload.size_bytes), maxReportedMissing)
  if (missing.length > 0) throw missingChunks(missing)
  return chunks.map(({ chunk_index, sha256, crc32 }) => {
    const { sizeBytes } = must(findPart(upload.size_bytes, chunk_index), 'the part of a chunk')
    return { sha256, crc32, sizeBytes }
  })
}

const missingChunks = (missing: number[]): AppError => new AppError('MISSING_CHUNKS', { body: { missing } })

const allChunksMissing = ({ size_bytes }: UploadRow): AppError =>
  missingChunks(listMissingIndexes(new Set(), countChunks(size_bytes), maxReportedMissing))

async function passToPhotos(
  ctx: UploadsContext,
  event: EventRow,
  upload: UploadRow,
  blocks: BlockDigest[],
  { replacesPhotoId = null, ...completion }: CompletionOptions,
): Promise<{ photoId: number; isStoredInPlace: boolean }> {
  const family = fileFamily(upload.filename)
  const setCompleted = (tx: Tx, photoId: number) => markCompleted(tx, upload, photoId)
  const whole = { sizeBytes: upload.size_bytes, ...digestOfBlocks(blocks) }

  async function createOrReplacePhoto(file: ReceivedFile): Promise<PhotoRow> {
    if (replacesPhotoId === null) {
      const inSameTransaction = (tx: Tx, photo: PhotoRow) => setCompleted(tx, photo.id)
      const uploadedAt = getBatchTime(upload)
      return receivePhoto(ctx, { event, file, family, uploadedAt, ...completion, inSameTransaction })
    }
    const replacement = {
      family,
      categoryId: completion.categoryId ?? null,
      version: upload.adds_version === 1 ? { note: null } : undefined,
    }
    const inSameTransaction = (tx: Tx) => setCompleted(tx, replacesPhotoId)
    return (await replacePhoto(ctx, event, replacesPhotoId, file, { ...replacement, inSameTransaction })).photo
  }

  return ctx.storage.multipart.withLocalFile(upload.parted_handle, whole, async (path, finalKey) => {
    const received = { path, clientName: upload.filename, synced: Promise.resolve() }
    const finalName = finalKey === null ? {} : { finalName: basename(finalKey) }
    const { id, filename } = await createOrReplacePhoto({ ...whole, ...received, ...finalName })
    return { photoId: id, isStoredInPlace: finalKey === null || originalKey(event.id, filename) === finalKey }
  })
}

/** The position of the photo in upload order does not depend on which file of a batch is complete first. */
const getBatchTime = ({ batch_started_at, batch_index }: UploadRow): number | null =>
  batch_started_at === null || batch_index === null ? null : batch_started_at + batch_index

class CompletedConcurrently extends Error {}

/**
 * Throws CompletedConcurrently if another process has ended or restarted the upload. Must run in the transaction that
 * stores the photo, so that this error also rolls back the photo.
 */
async function markCompleted(tx: Tx, { id, parted_handle }: UploadRow, photoId: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('chunked_uploads')
    .set({ status: 'completed', photo_id: photoId })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .where('parted_handle', '=', parted_handle)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new CompletedConcurrently()
}

/** Restarts the upload if chunks are lost, and ends it if its content is rejected. Returns the error to throw. */
async function handleFailure(ctx: UploadsContext, upload: UploadRow, error: unknown): Promise<unknown> {
  const { db, storage } = ctx
  if (error instanceof FileMissing) {
    await restartUpload(ctx, upload)
    return allChunksMissing(upload)
  }
  const isContentError = error instanceof AppError && (error.status === 415 || error.status === 422)
  if (isContentError) {
    const failed = { status: 'failed', problem: error.code } as const
    const running = db.updateTable('chunked_uploads').set(failed).where('id', '=', upload.id)
    const { numUpdatedRows } = await running.where('status', '=', 'in_progress').executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) await storage.multipart.discard(upload.parted_handle)
  }
  return error
}

const holdMs = seconds(15)
const renewEveryMs = seconds(5)

/**
 * While `work` runs, no node replaces a received chunk. On SQLite there is only one process, so `uploadGate` is enough.
 */
export async function holdChunks<T>(ctx: UploadsContext, upload: UploadRow, work: () => Promise<T>): Promise<T> {
  if (ctx.database.kind === 'sqlite') return work()
  await hold(ctx, upload, holdMs)
  const warn = (err: unknown) => ctx.log.warn({ err }, 'Could not renew the hold on the chunks of an upload')
  const renewing = setInterval(() => void hold(ctx, upload, holdMs).catch(warn), renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await hold(ctx, upload, 0).catch(warn)
  }
}

/** Uses the same lock as the transaction that deletes a chunk, so that this transaction sees `completing_until`. */
const hold = ({ db, clock }: UploadsContext, { id, event_id }: UploadRow, forMs: number): Promise<void> =>
  inTransaction(db, `event ${event_id}`, async (tx) => {
    const until = forMs === 0 ? 0 : clock.now() + forMs
    const running = tx.updateTable('chunked_uploads').set({ completing_until: until }).where('id', '=', id)
    await running.where('status', '=', 'in_progress').execute()
  })
