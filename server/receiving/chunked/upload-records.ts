import { chunkBytes, type UploadStatus } from '../../../contract/chunked-uploads.ts'
import { isoTime } from '../../platform/time/clock.ts'
import type { UploadsContext } from './upload-gate.ts'
import { listChunks, type UploadRow } from './upload-rows.ts'
import { calculateProgress, countChunks } from './upload-rules.ts'

export const toInitResponse = (upload: UploadRow) => ({
  uploadId: upload.id,
  chunkSize: chunkBytes,
  expectedChunks: countChunks(upload.size_bytes),
  expiresAt: isoTime(upload.expires_at),
})

export async function loadUploadStatus(
  { db, clock, uploadGate }: UploadsContext,
  upload: UploadRow,
): Promise<UploadStatus> {
  const receivedIndexes = (await listChunks(db, upload.id)).map(({ chunk_index }) => chunk_index)
  const expectedChunks = countChunks(upload.size_bytes)
  const isBeingCompleted = uploadGate.isCompleting(upload.id) || upload.completing_until > clock.now()
  const isCompleting = upload.status === 'in_progress' && isBeingCompleted
  return {
    uploadId: upload.id,
    filename: upload.filename,
    fileSize: upload.size_bytes,
    receivedChunks: receivedIndexes.length,
    receivedIndexes,
    expectedChunks,
    progress: calculateProgress(receivedIndexes.length, expectedChunks),
    status: isCompleting ? 'completing' : upload.status,
    createdAt: isoTime(upload.created_at),
    expiresAt: isoTime(upload.expires_at),
  }
}

export const toCompletedResponse = <T>(photo: T) => ({ success: true as const, uploaded: 1 as const, photos: [photo] })
