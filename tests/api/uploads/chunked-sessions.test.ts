import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { hours } from '../../../server/platform/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import {
  adminUploadsPath,
  createUploadClient,
  initUpload,
  largeJpeg,
  sendAllChunks,
} from '../../support/uploads/chunked-uploads.ts'

const service = await serviceForFile()
const { admin, api } = service

const listSessionRows = (eventId: number): unknown[] =>
  readDatabase(service, (stored) => stored.prepare('select * from chunked_uploads where event_id = ?').all(eventId))
const listChunkFiles = async (eventId: number) =>
  (await listStoredFiles(service)).filter((path) => path.startsWith(`parted/events/${eventId}/`))

describe('the status of an upload', () => {
  test('returns what has been received', async () => {
    const event = await createEvent(api)
    const file = await largeJpeg(2 * chunkBytes + 5)
    const upload = await initUpload(admin, adminUploadsPath(event.id), { fileSize: file.length, filename: 'day/ü.jpg' })
    await upload.chunk(2, file.subarray(2 * chunkBytes))
    await upload.chunk(0, file.subarray(0, chunkBytes))
    const { status, body } = await upload.status()
    expect(status).toBe(200)
    expect(body).toEqual({
      uploadId: upload.path.split('/').at(-1),
      filename: 'day/ü.jpg',
      fileSize: file.length,
      receivedChunks: 2,
      receivedIndexes: [0, 2],
      expectedChunks: 3,
      progress: 66,
      status: 'in_progress',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(hours(24))
  })
})

describe('aborting an upload', () => {
  test('deletes its chunks; the upload no longer exists', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    expect(await listChunkFiles(event.id)).toHaveLength(1)
    expect((await upload.abort()).body).toEqual({ uploadId: upload.path.split('/').at(-1), aborted: true })
    expect(await listChunkFiles(event.id)).toEqual([])
    expectProblem(await upload.status(), 404, 'NOT_FOUND')
    expectProblem(await upload.chunk(0, await jpeg()), 404, 'NOT_FOUND')
    expectProblem(await upload.complete(), 404, 'NOT_FOUND')
    expectProblem(await upload.abort(), 404, 'NOT_FOUND')
  })

  test('that is complete returns 409', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    const { body } = await upload.complete()
    expectProblem(await upload.abort(), 409, 'INVALID_STATE')
    expect((await upload.complete()).body).toEqual(body)
  })
})

describe('an upload belongs to one event and one admin', () => {
  const allCalls = (client: TestClient, path: string) => {
    const upload = createUploadClient(client, path)
    return [
      () => upload.status(),
      () => upload.chunk(0, Buffer.alloc(5)),
      () => upload.complete(),
      () => upload.abort(),
    ]
  }

  test('and is 404 to others, even owners of the event', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    const otherAccount = await createAccount(service, 'super_admin')
    for (const call of allCalls(otherAccount.admin, upload.path)) expectProblem(await call(), 404, 'NOT_FOUND')
    expect((await upload.complete()).status).toBe(200)
  })

  test('and is 404 below another event or an unknown id', async () => {
    const event = await createEvent(api)
    const other = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    const otherPath = upload.path.replace(`/${event.id}/`, `/${other.id}/`)
    for (const path of [otherPath, `${adminUploadsPath(event.id)}/no-such-upload`]) {
      for (const call of allCalls(admin, path)) expectProblem(await call(), 404, 'NOT_FOUND')
    }
    expect((await upload.complete()).status).toBe(200)
  })

  test('and is 403 to accounts that do not own the event', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    const stranger = await createAccount(service, 'admin')
    for (const call of allCalls(stranger.admin, upload.path)) expectProblem(await call(), 403, 'FORBIDDEN')
  })
})

describe('the event of an upload', () => {
  test('rejects chunks while archived: 409; status and abort work', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    const init = await admin.post(`${adminUploadsPath(event.id)}/init`, { filename: 'a.jpg', fileSize: 1 })
    expectProblem(init, 409, 'EVENT_ARCHIVED')
    expectProblem(await upload.chunk(0, await jpeg()), 409, 'EVENT_ARCHIVED')
    expectProblem(await upload.complete(), 409, 'EVENT_ARCHIVED')
    expect((await upload.status()).body).toMatchObject({ status: 'in_progress', receivedIndexes: [0] })
    expect((await upload.abort()).status).toBe(200)
    expect(await listChunkFiles(event.id)).toEqual([])
  })

  test('deletes its uploads and their chunks', async () => {
    const event = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    expect(await listChunkFiles(event.id)).toHaveLength(1)
    await api.delete(`/api/v1/events/${event.id}`)
    expect(await listChunkFiles(event.id)).toEqual([])
    expect(listSessionRows(event.id)).toEqual([])
    expectProblem(await upload.status(), 404, 'NOT_FOUND')
  })
})

test('an upload lasts exactly 24 hours', async () => {
  const clock = createMovableClock()
  const timed = await serviceForTest({ edges: { clock } })
  const event = await createEvent(timed.api)
  const upload = await sendAllChunks(timed.admin, adminUploadsPath(event.id), await jpeg())
  clock.advance(hours(24) - 60_000)
  const again = await timed.anonymous.post('/api/auth/admin/login', {
    username: 'admin',
    password: 'correct-horse-battery',
  })
  const ownerHeaders = { authorization: `Bearer ${again.body.token}` }
  const status = () => timed.anonymous.get(`${upload.path}/status`, ownerHeaders)
  expect((await status()).status).toBe(200)
  clock.advance(60_000)
  expectProblem(await status(), 404, 'NOT_FOUND')
  expectProblem(await timed.anonymous.post(`${upload.path}/complete`, {}, ownerHeaders), 404, 'NOT_FOUND')
})
