import { request } from 'node:http'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { isOnS3 } from '../../support/service/back-ends.ts'
import {
  adminPassword,
  createMovableClock,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'
import { createSmallDisk } from '../../support/storage/small-disk.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { initUpload } from '../../support/uploads/chunked-uploads.ts'

const megabyte = 2 ** 20
const floodCount = isLongRun ? 200 : 80

async function openGallery(service: TestService, changes: object = {}) {
  const [category] = (await service.admin.get('/api/admin/categories/global')).body
  return createEvent(service.api, { allow_user_uploads: true, upload_category_id: category.id, ...changes })
}

const uploadPath = ({ slug }: TestEvent): string => `/api/gallery/${slug}/upload`
const sessionsPath = ({ slug }: TestEvent): string => `/api/gallery/${slug}/chunked-upload`
const openSession = (guest: TestClient, event: TestEvent, fileSize = 1000) =>
  guest.post(`${sessionsPath(event)}/init`, { filename: 'party.jpg', fileSize })

type Flood = { status: Promise<number>; sentBytes: () => number; abort: () => void }

/** Sends a file without an end or an announced length, `megabytes` of it at once and then nothing more. */
function sendEndlessFile(service: TestService, event: TestEvent, token: string, megabytes: number): Flood {
  const { promise, resolve } = Promise.withResolvers<number>()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' }
  const sent = request(`${service.url}${uploadPath(event)}`, { method: 'POST', headers, agent: false })
  sent.on('response', (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
  sent.on('error', () => resolve(0))
  sent.write(
    '--x\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
  )
  let sentBytes = 0
  const writeMore = () => {
    while (sentBytes < megabytes * megabyte && !sent.destroyed) {
      sentBytes += megabyte
      if (!sent.write(Buffer.alloc(megabyte))) return void sent.once('drain', writeMore)
    }
  }
  writeMore()
  return { status: promise, sentBytes: () => sentBytes, abort: () => sent.destroy() }
}

async function enterWithToken(service: TestService, { slug, share_token: token }: TestEvent): Promise<string> {
  return (await service.anonymous.post('/api/auth/gallery/share-login', { slug, token })).body.token
}

// With a bucket, photos are not on the small disk, and the space for them is unlimited.
if (!isOnS3) {
  describe('on a small disk', async () => {
    const disk = await createSmallDisk(200)
    afterAll(disk.remove)
    const start = () => serviceForTest({ environment: disk.environment, edges: disk.edges })

    test('guests stop early, at a quarter of the free space for one event, and operators go on', async () => {
      const service = await start()
      const event = await openGallery(service)
      const staged = async () =>
        (await listStoredFiles({ dataDir: disk.environment.DATA_DIR ?? service.dataDir })).filter((name) =>
          name.startsWith('staging/'),
        )

      const endless = sendEndlessFile(service, event, await enterWithToken(service, event), 150)
      expect(await endless.status).toBe(507)
      await expect.poll(staged).toEqual([])

      const tokens = await Promise.all(Array.from({ length: floodCount }, () => enterWithToken(service, event)))
      const floods = tokens.map((token) => sendEndlessFile(service, event, token, 1))
      await expect.poll(async () => (await staged()).length).toBeGreaterThan(20)
      expect((await service.anonymous.get('/health')).status).toBe(200)
      const signedIn = await service.anonymous.post('/api/auth/admin/login', {
        username: 'admin',
        password: adminPassword,
      })
      expect(signedIn.status).toBe(200)
      expect(await uploadPhotos(service.api, event.id, 1)).toHaveLength(1)
      const answered: number[] = []
      for (const { status } of floods) void status.then((code) => answered.push(code))
      // 200 MB less 6 % for a reserve, of which a quarter: 47 MB, of which each holds at least one.
      await expect.poll(() => answered.length).toBeGreaterThanOrEqual(floodCount - 47)
      expect(new Set(answered)).toEqual(new Set([507]))
      expect((await staged()).length).toBeLessThanOrEqual(47)
      for (const { abort } of floods) abort()
      await expect.poll(staged).toEqual([])

      await disk.fill(0.04)
      const guest = await enterAsGuest(service, event)
      const file = { bytes: await jpeg(), name: 'party.jpg' }
      // The service measures the free space at most once a second, for uploads and for sessions separately.
      await expect.poll(async () => (await sendFiles(guest, uploadPath(event), [file])).body.code).toBe('STORAGE_FULL')
      const opened = async () => (await openSession(guest, event)).body.code
      await expect.poll(opened, { interval: 1_100 }).toBe('STORAGE_FULL')
      expect(await uploadPhotos(service.api, event.id, 1)).toHaveLength(1)
    })
  })
}

describe('upload sessions', () => {
  test('of one guest are at most 3; another one replaces one that was idle for 5 minutes', async () => {
    const clock = createMovableClock()
    const service = await serviceForTest({ edges: { clock } })
    const event = await openGallery(service)
    const [guest, other] = [await enterAsGuest(service, event), await enterAsGuest(service, event)]
    const [first] = [await openSession(guest, event), await openSession(guest, event), await openSession(guest, event)]
    const rejected = await openSession(guest, event)
    expectProblem(rejected, 429, 'RATE_LIMITED')
    expect(rejected.headers.get('retry-after')).toBe('15')
    expect((await openSession(other, event)).status).toBe(200)

    clock.advance(5 * 60_000 + 1)
    expect((await openSession(guest, event)).status).toBe(200)
    expectProblem(await guest.get(`${sessionsPath(event)}/${first.body.uploadId}/status`), 404, 'NOT_FOUND')
  })

  test('count like photos below the cap of the event, until they are idle for 10 minutes', async () => {
    const clock = createMovableClock()
    const service = await serviceForTest({ edges: { clock } })
    const event = await openGallery(service, { photo_cap: 2 })
    await uploadPhotos(service.api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    expect((await openSession(guest, event)).status).toBe(200)
    expectProblem(await openSession(guest, event), 409, 'PHOTO_CAP_REACHED')
    clock.advance(10 * 60_000 + 1)
    expect((await openSession(guest, event)).status).toBe(200)
  })

  test('of one guest hold one file of the maximum size and 200 MB', { tags: 'nightly' }, async () => {
    const service = await serviceForTest()
    await service.admin.put('/api/admin/settings', {
      general_max_file_size_mb: 1,
      general_max_video_size_mb: 110,
      general_allowed_file_types: 'jpg,mp4',
    })
    const event = await openGallery(service)
    const guest = await enterAsGuest(service, event)
    const chunk = Buffer.alloc(chunkBytes)
    const statuses: number[] = []
    for (let session = 0; session < 3; session++) {
      const upload = await initUpload(guest, sessionsPath(event), { filename: 'a.mp4', fileSize: 11 * chunkBytes })
      for (let index = 0; index < 11; index++) statuses.push((await upload.chunk(index, chunk)).status)
    }
    const accepted = (110 + 200) / 10
    expect(statuses).toEqual(Array.from({ length: 33 }, (_, index) => (index < accepted ? 200 : 429)))
  })
})

test('two hundred guests of one address upload at the same time', { tags: 'nightly' }, async () => {
  const service = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const event = await openGallery(service)
  const bytes = await jpeg()
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const guest = await enterAsGuest(service, event)
      // A busy service can be unavailable for a moment. A limit would refuse for longer than this.
      const init = () => initUpload(guest, sessionsPath(event), { fileSize: bytes.length })
      const upload = await vi.waitFor(init, { timeout: 60_000, interval: 1000 })
      return (await upload.chunk(0, bytes)).status
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
})
