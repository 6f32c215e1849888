import { expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { hours } from '../../../server/platform/time/clock.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { openSocket } from '../../support/clients/raw-http.ts'
import { getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { isOnS3 } from '../../support/service/back-ends.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import {
  adminUploadsPath,
  createUploadClient,
  initUpload,
  largeJpeg,
  sendAllChunks,
  splitIntoChunks,
} from '../../support/uploads/chunked-uploads.ts'
import { computeTreeHash } from '../../support/uploads/chunked-versions.ts'

const service = await sharedService()
const { admin, api } = service
const file = await largeJpeg(chunkBytes + 12_345)
const [first, last] = splitIntoChunks(file) as [Buffer<ArrayBuffer>, Buffer<ArrayBuffer>]
const listChunkFiles = async (eventId: number) =>
  (await listStoredFiles(service)).filter((path) => path.startsWith(`parted/events/${eventId}/`))

test('chunks in any order and in parallel become one photo with the same bytes', { tags: 'storage' }, async () => {
  const { id } = await createEvent(api)
  const init = await admin.post(`${adminUploadsPath(id)}/init`, { filename: 'day/ü.jpg', fileSize: file.length })
  const { uploadId } = init.body
  expect([init.status, init.body]).toEqual([
    200,
    { uploadId: expect.any(String), chunkSize: 10_485_760, expectedChunks: 2, expiresAt: expect.any(String) },
  ])
  const upload = createUploadClient(admin, `${adminUploadsPath(id)}/${uploadId}`)
  const progress = { expected: 2, progress: 50, complete: false }
  expect((await upload.chunk(1, last)).body).toEqual({ chunkIndex: 1, received: 1, ...progress })
  const missing = await upload.complete()
  expectProblem(missing, 400, 'MISSING_CHUNKS')
  expect(missing.body.missing).toEqual([0])
  const { createdAt, ...status } = (await upload.status()).body
  expect(status).toEqual({
    uploadId,
    filename: 'day/ü.jpg',
    fileSize: file.length,
    receivedChunks: 1,
    receivedIndexes: [1],
    expectedChunks: 2,
    progress: 50,
    status: 'in_progress',
    expiresAt: init.body.expiresAt,
  })
  expect(Date.parse(status.expiresAt) - Date.parse(createdAt)).toBe(hours(24))

  // A chunk that is sent again replaces the earlier copy.
  const answers = await Promise.all([upload.chunk(0, Buffer.alloc(chunkBytes)), upload.chunk(1, last)])
  answers.push(await upload.chunk(0, first))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const completed = await Promise.all([upload.complete({ category_id: null }), upload.complete()])
  completed.push(await upload.complete())
  for (const answer of completed) expect([answer.status, answer.body]).toEqual([200, completed[0]?.body])
  const [photo] = completed[0]?.body.photos ?? []
  expect(completed[0]?.body).toMatchObject({
    success: true,
    uploaded: 1,
    photos: [{ uploaded_by: 'admin', width: 60 }],
  })
  expect(photo).toMatchObject({ size_bytes: file.length, original_filename: 'ü.jpg' })
  expect(photo.content_hash).toBe(computeTreeHash(file))
  expect((await getStoredOriginal(service, id, photo.id).read()).equals(file)).toBe(true)
  expect(await listChunkFiles(id)).toEqual([])
  expect((await upload.status()).body.status).toBe('completed')
  expectProblem(await upload.chunk(0, first), 409, 'INVALID_STATE')
  expectProblem(await upload.abort(), 409, 'INVALID_STATE')
})

test('a cut send leaves the chunk missing, even if it was complete before; a wrong one changes nothing', async () => {
  const { id } = await createEvent(api)
  const upload = await sendAllChunks(admin, adminUploadsPath(id), file)
  expectProblem(await upload.chunk(0, last), 400, 'VALIDATION_ERROR')
  expectProblem(await upload.chunk(1, Buffer.alloc(chunkBytes + 1)), 413, 'FILE_TOO_LARGE')
  for (const index of ['2', '-1', '1.5', 'x']) expectInvalidField(await upload.chunk(index, last), 'index')
  expect((await upload.status()).body.receivedIndexes).toEqual([0, 1])

  const socket = openSocket(service.url)
  const head = [
    `POST ${upload.path}/chunk/0 HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${admin.token}`,
    'content-type: application/octet-stream',
    `content-length: ${chunkBytes}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(chunkBytes / 2))
  await expect.poll(async () => (await upload.status()).body.receivedIndexes).toEqual([1])
  expect((await upload.complete()).body).toMatchObject({ code: 'MISSING_CHUNKS', missing: [0] })
  socket.destroy()
  expect((await upload.chunk(0, first)).status).toBe(200)
  const [photo] = (await upload.complete()).body.photos
  expect((await getStoredOriginal(service, id, photo.id).read()).equals(file)).toBe(true)
})

test('init checks size, extension and number of chunks; an aborted session no longer exists', async () => {
  const { id } = await createEvent(api)
  const init = (body: object) =>
    admin.post(`${adminUploadsPath(id)}/init`, { filename: 'a.jpg', fileSize: 1000, mimeType: 7, ...body })
  const megabytes = 100 * 2 ** 20
  expect((await init({ fileSize: megabytes })).status).toBe(200)
  const large = await init({ fileSize: megabytes + 1, filename: 'a.exe' })
  expectProblem(large, 400, 'FILE_TOO_LARGE')
  expect(large.body.error).toBe('File too large. Maximum size is 100 MB per file.')
  const type = await init({ filename: 'a.jpg.exe', totalChunks: 2 })
  expectProblem(type, 400, 'FILE_TYPE_NOT_ALLOWED')
  expect(type.body.error).toBe('File type not allowed')
  expect((await init({ totalChunks: 2 })).body.error).toBe('totalChunks must be 1.')
  expectInvalidField(await init({ fileSize: 0 }), 'fileSize')

  // In a bucket, the accepted init above has begun a multipart upload. On disk, only a chunk creates a file.
  const others = await listChunkFiles(id)
  expect(others).toHaveLength(isOnS3 ? 1 : 0)
  const bytes = await jpeg()
  const upload = await initUpload(admin, adminUploadsPath(id), { fileSize: bytes.length })
  await upload.chunk(0, bytes)
  expect(await listChunkFiles(id)).toHaveLength(others.length + 1)
  expect((await upload.abort()).body).toEqual({ uploadId: upload.path.split('/').at(-1), aborted: true })
  expect(await listChunkFiles(id)).toEqual(others)
  for (const call of [upload.status, upload.complete, upload.abort, () => upload.chunk(0, bytes)]) {
    expectProblem(await call(), 404, 'NOT_FOUND')
  }
})
