import { expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import { addUpload } from '../../../tests/support/database/upload-rows.ts'
import { createUploadGate, type UploadsContext } from './upload-gate.ts'
import { loadUploadStatus, toCompletedResponse, toInitResponse } from './upload-records.ts'

const { db } = await memoryDatabase()
const now = Date.parse('2026-05-04T10:00:00Z')
const uploadGate = createUploadGate()
const ctx = { db, uploadGate, clock: { now: () => now } } as unknown as UploadsContext

const times = { created_at: Date.parse('2026-05-04T09:00:00Z'), expires_at: Date.parse('2026-05-05T09:00:00Z') }
const sent = { createdAt: '2026-05-04T09:00:00.000Z', expiresAt: '2026-05-05T09:00:00.000Z' }

test('a new session contains its chunks and its expiry time', async () => {
  const upload = await addUpload(db, { id: 'new', size_bytes: chunkBytes + 1, ...times })
  expect(toInitResponse(upload)).toEqual({
    uploadId: 'new',
    chunkSize: chunkBytes,
    expectedChunks: 2,
    expiresAt: sent.expiresAt,
  })
})

test('its status contains the received chunks', async () => {
  const upload = await addUpload(db, { id: 'begun', filename: 'film.mp4', size_bytes: 3 * chunkBytes, ...times })
  for (const chunk_index of [2, 0]) {
    await db.insertInto('received_chunks').values({ upload_id: 'begun', chunk_index, sha256: '', crc32: 0 }).execute()
  }
  expect(await loadUploadStatus(ctx, upload)).toEqual({
    uploadId: 'begun',
    filename: 'film.mp4',
    fileSize: 3 * chunkBytes,
    receivedChunks: 2,
    receivedIndexes: [0, 2],
    expectedChunks: 3,
    progress: 66,
    status: 'in_progress',
    ...sent,
  })
})

test.each([
  ['in_progress', 0, 'in_progress'],
  ['in_progress', now, 'in_progress'],
  ['in_progress', now + 1, 'completing'],
  ['completed', now + 1, 'completed'],
  ['failed', now + 1, 'failed'],
] as const)('the status of an upload %s with completing_until %i is %s', async (status, completing_until, shown) => {
  const upload = await addUpload(db, { id: `${status} ${completing_until}`, status, completing_until })
  expect((await loadUploadStatus(ctx, upload)).status).toBe(shown)
})

test.each([
  ['in_progress', 'completing'],
  ['completed', 'completed'],
] as const)('the status of an upload %s is %s while this process completes it', async (status, shown) => {
  const upload = await addUpload(db, { id: `${status} here`, status })
  await uploadGate.complete(upload.id, async () => {
    expect((await loadUploadStatus(ctx, upload)).status).toBe(shown)
  })
})

test('a completed upload returns its one photo', () => {
  expect(toCompletedResponse({ id: 7 })).toEqual({ success: true, uploaded: 1, photos: [{ id: 7 }] })
})
