import { existsSync } from 'node:fs'
import { appendFile, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectProblem } from '../support/clients/problems.ts'
import { createClient, type TestClient } from '../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'
import { createSmallDisk } from '../support/storage/small-disk.ts'

const credentials = { username: 'admin', password: adminPassword }
const longText = (index: number): string => `${index} ${'\u{1F4F7}'.repeat(490)}`

describe('on a small disk', async () => {
  const disk = await createSmallDisk(200)
  const { DATA_DIR: dataDir } = disk.environment
  afterAll(disk.remove)

  const start = (folder: string) =>
    startByNode({
      dataDir: folder,
      environment: { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' },
    })

  const freeBytes = async (folder: string): Promise<number> => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }

  test.skipIf(dataDir === undefined)(
    'guests stop at their reserve, and operators go on, even without a free byte',
    async () => {
      const folder = String(dataDir)
      let service = await start(folder)
      onTestFinished(() => service.end('SIGKILL'))
      const admin = await signIn(service)
      const api = createClient(service.url, (await admin.post('/api/admin/api-tokens', token)).body.token)
      const events = [await openGallery(api), await openGallery(api), await openGallery(api)] as const
      const { event, photos } = events[0]
      await waitForReserve(folder)

      await disk.fill(0.08)
      const comment = await commentUntilFull(service, event, photos)
      const { blocks, bsize } = await statfs(folder)
      expect(await freeBytes(folder)).toBeGreaterThan(blocks * bsize * 0.02)
      expect(existsSync(join(folder, 'reserve'))).toBe(true)
      await operate(service, { ...events[0], comment })

      await fillCompletely(folder)
      expect(await freeBytes(folder)).toBe(0)
      const [left] = await listComments(await signIn(service), event)
      await operate(service, { ...events[1], comment: null })
      if (left !== undefined) expect((await admin.delete(`/api/admin/feedback/${left}`)).status).toBe(200)
      expectProblem(await api.upload(event.id, Buffer.alloc(100)), 507, 'STORAGE_FULL')
      const health = (await admin.get('/api/admin/health')).body.items.find(
        (item: { key: string }) => item.key === 'disk',
      )
      expect(health.facts.reserve_in_use).toBe(true)

      await service.end('SIGTERM')
      for (const name of await readdir(folder)) if (name.startsWith('filler')) await rm(join(folder, name))
      service = await start(folder)
      await waitForReserve(folder)

      await service.end('SIGTERM')
      await fillCompletely(folder)
      service = await start(folder)
      await operate(service, { ...events[2], comment: null })
    },
    180_000,
  )
})

const waitForReserve = (folder: string) =>
  expect.poll(() => existsSync(join(folder, 'reserve')), { timeout: 60_000 }).toBe(true)

const token = { name: 'test', scopes: ['admin'] }

async function signIn(service: ServiceProcess): Promise<TestClient> {
  const { status, body } = await createClient(service.url).post('/api/auth/admin/login', credentials)
  expect(status).toBe(200)
  return createClient(service.url, body.token)
}

type Gallery = { event: TestEvent; photos: number[] }

async function openGallery(api: TestClient): Promise<Gallery> {
  const event = await createEvent(api)
  return { event, photos: await uploadPhotos(api, event.id, 3) }
}

/** Sends comments of many guests at once until the last 20 are rejected. Returns the id of a stored comment. */
async function commentUntilFull(service: ServiceProcess, event: TestEvent, photos: number[]): Promise<number> {
  const guest = () => enterAsGuest({ url: service.url, anonymous: createClient(service.url) } as TestService, event)
  const statuses: number[] = []
  let stored = 0
  for (let round = 0; round < 400; round++) {
    const guests = await Promise.all(Array.from({ length: 20 }, guest))
    const sent = guests.map((one, index) =>
      one.post(`/api/gallery/${event.slug}/photos/${photos[index % photos.length]}/feedback`, {
        feedback_type: 'comment',
        comment_text: longText(round * 20 + index),
      }),
    )
    const answers = await Promise.all(sent)
    for (const { status, body } of answers) if (status === 200) stored = body.id
    statuses.push(...answers.map(({ status }) => status))
    if (answers.every(({ status }) => status !== 200)) break
  }
  expect(new Set(statuses)).toEqual(new Set([200, 507]))
  expect(statuses.slice(-20)).toEqual(Array(20).fill(507))
  return stored
}

const listComments = async (admin: TestClient, event: TestEvent): Promise<number[]> =>
  (await admin.get(`/api/admin/feedback/events/${event.id}?type=comment`)).body.feedback.map(
    ({ id }: { id: number }) => id,
  )

/** Signs in, hides a photo, deletes one for good through the trash, and the event as well. */
async function operate(service: ServiceProcess, { event, photos, comment }: Gallery & { comment: number | null }) {
  const admin = await signIn(service)
  const [hidden, trashed] = photos
  const hide = await admin.patch(`/api/admin/photos/${event.id}/photos/${hidden}`, { visibility: 'hidden' })
  expect([hide.status, hide.body.visibility]).toEqual([200, 'hidden'])
  if (comment !== null) expect((await admin.delete(`/api/admin/feedback/${comment}`)).status).toBe(200)
  const trash = `/api/admin/photos/${event.id}/trash`
  expect((await admin.post(trash, { photoIds: [trashed] })).status).toBe(200)
  expect((await admin.delete(trash)).status).toBe(200)
  if (comment !== null) return
  expect((await admin.post(`/api/admin/events/${event.id}/trash`, {})).status).toBe(200)
  expect((await admin.delete('/api/admin/trashed-events')).body).toEqual({ deleted: 1 })
}

/** Takes the last byte, in steps of a page. */
async function fillCompletely(folder: string): Promise<void> {
  for (const bytes of [2 ** 20, 4096]) {
    for (;;) {
      const error = await appendFile(join(folder, 'filler'), Buffer.alloc(bytes)).catch((cause) => cause)
      if (error) break
    }
  }
}
