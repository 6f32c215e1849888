import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { StorageFull } from '../../../server/platform/storage/storage.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { openSocket } from '../../support/clients/raw-http.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { waitUntilRead, watchRequest } from '../../support/clients/watch-request.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { serviceForTest, sharedService } from '../../support/service/test-service.ts'
import {
  adminUploadsPath,
  initUpload,
  largeJpeg,
  splitIntoChunks,
  type TestUpload,
} from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service
const file = await largeJpeg(chunkBytes + 12_345)
type Bytes = Buffer<ArrayBuffer>
const [first, last] = splitIntoChunks(file) as [Bytes, Bytes]
const [otherFirst] = splitIntoChunks(await largeJpeg(file.length, 99)) as [Bytes]

async function startUpload({ client = admin, testService = service } = {}): Promise<TestUpload & { eventId: number }> {
  const { id } = await createEvent(testService.api)
  return { ...(await initUpload(client, adminUploadsPath(id), { fileSize: file.length })), eventId: id }
}

const listReceived = async (upload: TestUpload) => (await upload.status()).body.receivedIndexes

async function completeAndDownload(upload: TestUpload & { eventId: number }): Promise<Buffer> {
  const { status, body } = await upload.complete()
  expect(status).toBe(200)
  return (await api.get(`/api/v1/events/${upload.eventId}/photos/${body.photos[0].id}/download`)).bytes
}

/** Sends the head of a chunk request; the test writes the body. */
function openChunkRequest(upload: TestUpload, index: number, length: number): Socket {
  const socket = openSocket(service.url)
  const head = [
    `POST ${upload.path}/chunk/${index} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${admin.token}`,
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
  test('of a wrong size is rejected before anything is written; one that turns out wrong on its way is missing', async () => {
    const upload = await startUpload()
    const chunks = splitIntoChunks(file)
    for (const [at, chunk] of chunks.entries()) {
      expect((await sendWithoutLength(admin, upload, at, chunk)).status).toBe(200)
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = await admin.call('POST', `${upload.path}/chunk/0`, { headers, body: last })
    expectProblem(form, 415, 'UNSUPPORTED_MEDIA_TYPE')
    const wrongSizes: Array<[index: number, length: number, isAlsoStreamed: boolean]> = [
      [0, chunkBytes - 1, true],
      [0, 0, false],
      [1, 12_346, true],
      [1, chunkBytes, false],
      [0, chunkBytes + 1, true],
      [1, chunkBytes + 1, false],
    ]
    for (const [index, length, isAlsoStreamed] of wrongSizes) {
      const expected: [number, string] = length > chunkBytes ? [413, 'FILE_TOO_LARGE'] : [400, 'VALIDATION_ERROR']
      const rejected = await upload.chunk(index, Buffer.alloc(length))
      expectProblem(rejected, ...expected)
      if (length > chunkBytes) expect(rejected.body.error).toBe('File too large. Maximum size is 10 MB per file.')
      expect(await listReceived(upload)).toEqual([0, 1])
      if (!isAlsoStreamed) continue
      expectProblem(await sendWithoutLength(admin, upload, index, Buffer.alloc(length)), ...expected)
      expect(await listReceived(upload)).toEqual([1 - index])
      await upload.chunk(index, chunks[index] as Bytes)
    }
    expect((await completeAndDownload(upload)).equals(file)).toBe(true)
  })
})

describe('the row of a chunk', () => {
  test('is deleted before the first byte is written and inserted after the sync', async () => {
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
    const upload = await startUpload({ client: recordingService.admin, testService: recordingService })
    await upload.chunk(1, last)
    await upload.chunk(1, last)
    expect(recordedRows).toEqual([[], [], [], []])
    expect(await listReceived(upload)).toEqual([1])
  })
})

describe('an interrupted send', () => {
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
})

test('simultaneous requests for one chunk run one by one', async () => {
  const upload = await startUpload()
  await upload.chunk(1, last)
  const answers = await Promise.all([first, otherFirst, first, otherFirst].map((bytes) => upload.chunk(0, bytes)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const found = await completeAndDownload(upload)
  const start = found.subarray(0, chunkBytes)
  expect([first, otherFirst].some((bytes) => bytes.equals(start))).toBe(true)
  expect(found.subarray(chunkBytes).equals(last)).toBe(true)
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
  const upload = await startUpload({ client: fullService.admin, testService: fullService })
  await upload.chunk(0, first)
  space.isFull = true
  expectProblem(await upload.chunk(1, last), 507, 'STORAGE_FULL')
  expect(await listReceived(upload)).toEqual([0])
  space.isFull = false
  expect((await upload.chunk(1, last)).body).toMatchObject({ received: 2 })
})
