import type { Readable } from 'node:stream'
import { type ChunkReply, chunkBytes } from '../../../contract/chunked-uploads.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { assertNotArchived } from '../../events/event-rules.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { fileTooLarge } from '../../platform/storage/received-file.ts'
import {
  FileMissing,
  type FilePart,
  type ReserveSpace,
  type WrittenPart,
  WrongPartSize,
} from '../../platform/storage/storage.ts'
import { takePerMebibyte } from '../../platform/storage/take-space.ts'
import { createActivityRecorder, isGuestUpload } from './guest-sessions.ts'
import { restartUpload } from './upload-files.ts'
import { completingError, type UploadsContext } from './upload-gate.ts'
import { findChunk, findUpload, type UploadRow } from './upload-rows.ts'
import { calculateProgress, countChunks, findPart } from './upload-rules.ts'

export type SentChunk = { index: number; contentLength: number | null; body: Readable }

/**
 * Resolves when the chunk is durable. Throws EVENT_ARCHIVED, NOT_FOUND, INVALID_STATE, VALIDATION_ERROR, FILE_TOO_LARGE
 * and StorageFull.
 */
export async function receiveChunk(
  ctx: UploadsContext,
  event: EventRow,
  upload: UploadRow,
  chunk: SentChunk,
): Promise<ChunkReply> {
  assertNotArchived(event)
  assertOpen(upload)
  const part = validateSize(upload, chunk)
  const { guestBudgets, storage } = ctx
  const guestUpload = isGuestUpload(upload) ? upload : null
  const user = guestUpload ? 'guest' : 'operator'
  const keepActive = guestUpload && createActivityRecorder(ctx, guestUpload)
  const takeSpace = takePerMebibyte((bytes) => {
    keepActive?.()
    return storage.ensureSpaceFor(bytes, user)
  })
  return ctx.uploadGate.send(upload.id, part.index, chunk.body, async (onByte) => {
    await storage.ensureSpaceFor(part.sizeBytes, user, { onlyCheck: true })
    if (guestUpload) await guestBudgets.takeChunk(ctx, guestUpload, part.index, part.sizeBytes)
    // If the client disconnected while this request waited, the earlier copy of the chunk stays.
    if (chunk.body.destroyed) throw wrongSizeError(part)
    // The record is deleted before the first byte is written: after an interrupted request, the chunk may be mixed
    // from two copies and must count as missing.
    await deleteChunkRecord(ctx, upload, part.index)
    const received = await storeChunk(ctx, upload, part, chunk.body, (bytes) => {
      onByte()
      return takeSpace(bytes)
    })
    const expected = countChunks(upload.size_bytes)
    return {
      chunkIndex: part.index,
      received,
      expected,
      progress: calculateProgress(received, expected),
      complete: received === expected,
    }
  })
}

function assertOpen({ status }: UploadRow): void {
  if (status === 'in_progress') return
  const text = status === 'completed' ? 'The upload is already complete.' : 'The upload has failed. Start a new one.'
  throw new AppError('INVALID_STATE', { text })
}

function validateSize({ size_bytes }: UploadRow, { index, contentLength }: SentChunk): FilePart {
  const part = findPart(size_bytes, index)
  if (!part) throw invalidField('index', `must be at most ${countChunks(size_bytes) - 1}`)
  if (contentLength !== null && contentLength > chunkBytes) throw fileTooLarge(chunkBytes)
  if (contentLength !== null && contentLength !== part.sizeBytes) throw wrongSizeError(part)
  return part
}

const wrongSizeError = ({ index, sizeBytes }: FilePart): AppError =>
  invalidField('', `Chunk ${index} must have ${sizeBytes} bytes.`)

/** Does nothing if there is no record. */
async function deleteChunkRecord(
  { db, clock }: UploadsContext,
  { id, event_id }: UploadRow,
  index: number,
): Promise<void> {
  if (!(await findChunk(db, id, index))) return
  await inTransaction(db, `event ${event_id}`, async (tx) => {
    const { completing_until } = await getOpenUpload(tx, id)
    if (completing_until > clock.now()) throw completingError()
    await tx.deleteFrom('received_chunks').where('upload_id', '=', id).where('chunk_index', '=', index).execute()
  })
}

async function storeChunk(
  ctx: UploadsContext,
  upload: UploadRow,
  part: FilePart,
  body: Readable,
  reserveSpace: ReserveSpace,
): Promise<number> {
  const { parted_handle: handle } = upload
  try {
    const written = await writeChunk(ctx, handle, part, body, reserveSpace)
    return await recordChunk(ctx, upload, part.index, written)
  } catch (error) {
    // If the upload has ended, its file may have been removed before this write created it again.
    const current = await findUpload(ctx.db, upload.id)
    if (current?.status !== 'in_progress') await ctx.storage.multipart.remove(handle)
    if (!(error instanceof FileMissing)) throw error
    if (!current) throw new AppError('NOT_FOUND')
    assertOpen(current)
    await restartUpload(ctx, upload)
    throw new AppError('INVALID_STATE', {
      text: 'The received chunks are missing from the storage. Send all chunks again.',
    })
  }
}

async function writeChunk(
  { storage }: UploadsContext,
  handle: string,
  part: FilePart,
  body: Readable,
  reserveSpace: ReserveSpace,
): Promise<WrittenPart> {
  try {
    return await storage.multipart.write(handle, part, body, reserveSpace)
  } catch (error) {
    if (!(error instanceof WrongPartSize)) throw error
    throw error.isTooLong && part.sizeBytes === chunkBytes ? fileTooLarge(chunkBytes) : wrongSizeError(part)
  }
}

/**
 * Returns the number of received chunks. Throws NOT_FOUND for an aborted upload, INVALID_STATE for an ended upload, and
 * FileMissing for a restarted upload.
 */
const recordChunk = (
  { db, clock }: UploadsContext,
  { id, event_id, parted_handle }: UploadRow,
  index: number,
  { digest: { sha256, crc32 }, isCurrent }: WrittenPart,
) =>
  inTransaction(db, `event ${event_id}`, async (tx) => {
    if ((await getOpenUpload(tx, id)).parted_handle !== parted_handle) throw new FileMissing(parted_handle)
    // When another node has received the same chunk, the record must describe the copy in the storage.
    const recorded = await findChunk(tx, id, index)
    if (!recorded || (recorded.sha256 !== sha256 && (await isCurrent()))) {
      await tx
        .insertInto('received_chunks')
        .values({ upload_id: id, chunk_index: index, sha256, crc32 })
        .onConflict((conflict) => conflict.columns(['upload_id', 'chunk_index']).doUpdateSet({ sha256, crc32 }))
        .execute()
    }
    const { count } = await tx
      .selectFrom('received_chunks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('upload_id', '=', id)
      .executeTakeFirstOrThrow()
    await tx.updateTable('chunked_uploads').set({ active_at: clock.now() }).where('id', '=', id).execute()
    return Number(count)
  })

async function getOpenUpload(tx: Tx, id: string): Promise<UploadRow> {
  const upload = await findUpload(tx, id)
  if (!upload) throw new AppError('NOT_FOUND')
  assertOpen(upload)
  return upload
}
