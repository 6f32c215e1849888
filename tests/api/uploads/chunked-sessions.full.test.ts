import { describe, expect, test } from 'vitest'
import { hours } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { adminUploadsPath, createUploadClient, sendAllChunks } from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service

const listSessionRows = (eventId: number): unknown[] =>
  readDatabase(service, (stored) => stored.prepare('select * from chunked_uploads where event_id = ?').all(eventId))
const listChunkFiles = async (eventId: number) =>
  (await listStoredFiles(service)).filter((path) => path.startsWith(`parted/events/${eventId}/`))

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

  test('and is 404 to others, even owners of the event, below another event and under an unknown id', async () => {
    const event = await createEvent(api)
    const other = await createEvent(api)
    const upload = await sendAllChunks(admin, adminUploadsPath(event.id), await jpeg())
    const otherAccount = await createAccount(service, 'super_admin')
    const calls = [
      ...allCalls(otherAccount.admin, upload.path),
      ...allCalls(admin, upload.path.replace(`/${event.id}/`, `/${other.id}/`)),
      ...allCalls(admin, `${adminUploadsPath(event.id)}/no-such-upload`),
    ]
    for (const call of calls) expectProblem(await call(), 404, 'NOT_FOUND')
    expect((await upload.complete()).status).toBe(200)
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

  test('deletes its uploads and their chunks', { tags: 'storage' }, async () => {
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
