import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { StorageFull } from '../../../server/platform/storage/storage.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { openSocket } from '../../support/clients/raw-http.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { waitUntilRead, watchRequest } from '../../support/clients/watch-request.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForTest, sharedService, type TestService } from '../../support/service/test-service.ts'
import {
  adminUploadsPath,
  initUpload,
  largeJpeg,
  sendAllChunks,
  splitIntoChunks,
  type TestUpload,
} from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service
/** `large` has three chunks; `file` has two, for tests that need only a first and a last one. */
const large = await largeJpeg(2 * chunkBytes + 12_345)
const file = await largeJpeg(chunkBytes + 12_345)
const other = await largeJpeg(large.length, 99)
type Bytes = Buffer<ArrayBuffer>
const largeChunks = splitIntoChunks(large) as [Bytes, Bytes, Bytes]
const [first, last] = splitIntoChunks(file) as [Bytes, Bytes]
const [otherFirst, otherSecond] = splitIntoChunks(other) as [Bytes, Bytes, Bytes]

async function startUpload({
  client = admin,
  testService = service,
  bytes = file,
} = {}): Promise<TestUpload & { eventId: number }> {
  const { id } = await createEvent(testService.api)
  return { ...(await initUpload(client, adminUploadsPath(id), { fileSize: bytes.length })), eventId: id }
}

const listReceived = async (upload: TestUpload) => (await upload.status()).body.receivedIndexes

async function completeAndDownload(upload: TestUpload & { eventId: number }): Promise<Buffer> {
  const { status, body } = await upload.complete()
  expect(status).toBe(200)
  return (await api.get(`/api/v1/events/${upload.eventId}/photos/${body.photos[0].id}/download`)).bytes
}

/** Sends the head of a chunk request; the test writes the body. */
function openChunkRequest(
  upload: TestUpload,
  index: number,
  length: number,
  testService: TestService = service,
): Socket {
  const socket = openSocket(testService.url)
  const head = [
    `POST ${upload.path}/chunk/${index} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${testService.admin.token}`,
    'content-type: application/octet-stream',
    `content-length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return socket
}

const sendWithoutLength = (client: TestClient, upload: TestUpload, index: number, body: Bytes) =>
  client.call('POST', `${upload.path}/chunk/${index}`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: new Blob([body]).stream(),
  })

describe('a chunk', () => {
  test('returns the progress of the upload', async () => {
    const upload = await startUpload({ bytes: large })
    const [one, two, three] = largeChunks
    const sendChunk = async (index: number, bytes: Bytes) => (await upload.chunk(index, bytes)).body
    expect(await sendChunk(2, three)).toEqual({
      chunkIndex: 2,
      received: 1,
      expected: 3,
      progress: 33,
      complete: false,
    })
    expect(await sendChunk(0, one)).toEqual({ chunkIndex: 0, received: 2, expected: 3, progress: 66, complete: false })
    expect(await sendChunk(0, one)).toEqual({ chunkIndex: 0, received: 2, expected: 3, progress: 66, complete: false })
    expect(await sendChunk(1, two)).toEqual({ chunkIndex: 1, received: 3, expected: 3, progress: 100, complete: true })
    expect((await completeAndDownload(upload)).equals(large)).toBe(true)
  })

  test('sent again replaces the earlier copy', async () => {
    const upload = await startUpload()
    for (const [index, chunk] of [
      [0, otherFirst],
      [1, last],
      [0, first],
    ] as const)
      await upload.chunk(index, chunk)
    expect((await completeAndDownload(upload)).equals(file)).toBe(true)
  })

  test('may come without a Content-Length', async () => {
    const upload = await startUpload()
    for (const [index, chunk] of splitIntoChunks(file).entries()) {
      expect((await sendWithoutLength(admin, upload, index, chunk)).status).toBe(200)
    }
    expect((await completeAndDownload(upload)).equals(file)).toBe(true)
  })

  test.each([
    ['shorter', 0, chunkBytes - 1, 400],
    ['empty', 0, 0, 400],
    ['the last and longer', 1, 12_346, 400],
    ['the last and as long as the others', 1, chunkBytes, 400],
    ['longer than 10 MB', 0, chunkBytes + 1, 413],
    ['the last and longer than 10 MB', 1, chunkBytes + 1, 413],
  ])('that is %s is rejected before anything is written', async (_, index, length, status) => {
    const upload = await startUpload()
    for (const [at, chunk] of splitIntoChunks(file).entries()) await upload.chunk(at, chunk)
    const rejected = await upload.chunk(index, Buffer.alloc(length))
    expectProblem(rejected, status, status === 413 ? 'FILE_TOO_LARGE' : 'VALIDATION_ERROR')
    if (status === 413) expect(rejected.body.error).toBe('File too large. Maximum size is 10 MB per file.')
    expect(await listReceived(upload)).toEqual([0, 1])
    expect((await completeAndDownload(upload)).equals(file)).toBe(true)
  })

  test.each([
    ['shorter', 0, chunkBytes - 1, 400],
    ['longer than 10 MB', 0, chunkBytes + 1, 413],
    ['the last and longer', 1, 12_346, 400],
  ])('that turns out %s on its way is missing, and no other', async (_, index, length, status) => {
    const upload = await startUpload()
    for (const [at, chunk] of splitIntoChunks(file).entries()) await upload.chunk(at, chunk)
    const rejected = await sendWithoutLength(admin, upload, index, Buffer.alloc(length))
    expectProblem(rejected, status, status === 413 ? 'FILE_TOO_LARGE' : 'VALIDATION_ERROR')
    expect(await listReceived(upload)).toEqual([0, 1].filter((one) => one !== index))
    await upload.chunk(index, splitIntoChunks(file)[index] as Bytes)
    expect((await completeAndDownload(upload)).equals(file)).toBe(true)
  })

  test.each(['2', '-1', '1.5', 'x', '9007199254740992'])('of the index %s returns 400', async (index) => {
    expectInvalidField(await (await startUpload()).chunk(index, last), 'index')
  })

  test('of another Content-Type returns 415', async () => {
    const upload = await startUpload()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await admin.call('POST', `${upload.path}/chunk/0`, { headers, body: last })
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('after completion returns 409', async () => {
    const { id } = await createEvent(api)
    const bytes = await jpeg()
    const upload = await sendAllChunks(admin, adminUploadsPath(id), bytes)
    await upload.complete()
    expectProblem(await upload.chunk(0, bytes), 409, 'INVALID_STATE')
  })
})

describe('the row of a chunk', () => {
  /** A service that records the rows before the first byte of a chunk is written and after the file is synced. */
  async function createRecordingService() {
    const recordedRows: unknown[][] = []
    let readRows: () => unknown[] = () => []
    const recordingService = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          multipart: {
            ...storage.multipart,
            async write(...args) {
              recordedRows.push(readRows())
              const written = await storage.multipart.write(...args)
              recordedRows.push(readRows())
              return written
            },
          },
        }),
      },
    })
    readRows = () =>
      readDatabase(recordingService, (stored) =>
        stored.prepare('select chunk_index from received_chunks').pluck().all(),
      )
    return { recordingService, recordedRows }
  }

  test('is deleted before the first byte is written and inserted after the sync', async () => {
    const { recordingService, recordedRows } = await createRecordingService()
    const upload = await startUpload({ client: recordingService.admin, testService: recordingService })
    await upload.chunk(1, last)
    await upload.chunk(1, last)
    expect(recordedRows).toEqual([[], [], [], []])
    expect(await listReceived(upload)).toEqual([1])
  })
})

describe('an interrupted send', () => {
  test('leaves the chunk missing, even if it was complete before; it can be sent again at once', async () => {
    const upload = await startUpload()
    for (const [index, chunk] of splitIntoChunks(file).entries()) await upload.chunk(index, chunk)
    const socket = openChunkRequest(upload, 0, chunkBytes)
    socket.write(otherFirst.subarray(0, chunkBytes / 2))
    await expect.poll(() => listReceived(upload)).toEqual([1])
    expect((await upload.complete()).body).toMatchObject({ code: 'MISSING_CHUNKS', missing: [0] })
    socket.destroy()
    expect((await upload.chunk(0, first)).status).toBe(200)
    expect((await completeAndDownload(upload)).equals(file)).toBe(true)
  })

  test('never mixes with a waiting request for the same chunk', async () => {
    const upload = await startUpload()
    await upload.chunk(1, last)
    const path = `${upload.path}/chunk/0`
    const firstRequest = watchRequest(path)
    const interruptedSocket = openChunkRequest(upload, 0, chunkBytes)
    interruptedSocket.write(otherFirst.subarray(0, chunkBytes - 70_000))
    await waitUntilRead(firstRequest.begun, chunkBytes - 70_000)
    const secondRequest = watchRequest(path)
    const waiting = upload.chunk(0, first)
    await secondRequest.begun
    // The status request passes the same checks later than the second chunk request, so the second chunk
    // request waits for the first when `status` resolves.
    await upload.status()
    interruptedSocket.destroy()
    expect((await waiting).status).toBe(200)
    expect((await completeAndDownload(upload)).equals(file)).toBe(true)
  })

  test('that sends nothing for some seconds gives way to another request for the chunk', async () => {
    const upload = await startUpload()
    const { begun } = watchRequest(`${upload.path}/chunk/1`)
    const idleSocket = openChunkRequest(upload, 1, last.length)
    idleSocket.write(last.subarray(0, 1000))
    await waitUntilRead(begun, 1000)
    expect((await upload.chunk(1, last)).status).toBe(200)
    idleSocket.destroy()
    // This timeout is shorter than the minute after which an idle request ends by itself.
  })
})

describe('simultaneous requests for one chunk', () => {
  test('run one by one: the file has one of them whole', async () => {
    const upload = await startUpload({ bytes: large })
    const [one, second, three] = largeChunks
    await upload.chunk(0, one)
    await upload.chunk(2, three)
    const answers = await Promise.all([second, otherSecond, second, otherSecond].map((bytes) => upload.chunk(1, bytes)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const found = await completeAndDownload(upload)
    const middle = found.subarray(chunkBytes, 2 * chunkBytes)
    expect([second, otherSecond].some((bytes) => bytes.equals(middle))).toBe(true)
    const rest = Buffer.concat([found.subarray(0, chunkBytes), found.subarray(2 * chunkBytes)])
    expect(rest.equals(Buffer.concat([one, three]))).toBe(true)
  })
})

test('a full disk returns 507, and the chunks can be sent again once there is space', async () => {
  const space = { isFull: false }
  const fullService = await serviceForTest({
    edges: {
      wrapStorage: (storage) => ({
        ...storage,
        ensureSpaceFor: async (bytes) => {
          if (space.isFull) throw new StorageFull()
          await storage.ensureSpaceFor(bytes)
        },
      }),
    },
  })
  const upload = await startUpload({ client: fullService.admin, testService: fullService, bytes: large })
  const [one, second] = largeChunks
  await upload.chunk(0, one)
  space.isFull = true
  expectProblem(await upload.chunk(1, second), 507, 'STORAGE_FULL')
  expect(await listReceived(upload)).toEqual([0])
  space.isFull = false
  expect((await upload.chunk(1, second)).body).toMatchObject({ received: 2 })
})
