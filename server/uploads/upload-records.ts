import { chunkBytes, type UploadStatus } from '../../contract/chunked-uploads.ts'
import { isoTime } from '../platform/clock.ts'
import { listChunks, type UploadRow } from './upload-rows.ts'
import { chunkCountOf, progressOf } from './upload-rules.ts'
import type { UploadsContext } from './uploads-context.ts'

export const initReply = (upload: UploadRow) => ({
  uploadId: upload.id,
  chunkSize: chunkBytes,
  expectedChunks: chunkCountOf(upload.size_bytes),
  expiresAt: isoTime(upload.expires_at),
})

export async function uploadStatus(
  { db, clock, uploadGate }: UploadsContext,
  upload: UploadRow,
): Promise<UploadStatus> {
  const receivedIndexes = (await listChunks(db, upload.id)).map(({ chunk_index }) => chunk_index)
  const expectedChunks = chunkCountOf(upload.size_bytes)
  const isAtWork = uploadGate.isCompleting(upload.id) || upload.completing_until > clock.now()
  const isCompleting = upload.status === 'in_progress' && isAtWork
  return {
    uploadId: upload.id,
    filename: upload.filename,
    fileSize: upload.size_bytes,
    receivedChunks: receivedIndexes.length,
    receivedIndexes,
    expectedChunks,
    progress: progressOf(receivedIndexes.length, expectedChunks),
    status: isCompleting ? 'completing' : upload.status,
    createdAt: isoTime(upload.created_at),
    expiresAt: isoTime(upload.expires_at),
  }
}

export const completedReply = <T>(photo: T) => ({
  success: true as const,
  uploaded: 1 as const,
  photos: [photo],
})
