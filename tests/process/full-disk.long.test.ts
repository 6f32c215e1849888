import { existsSync } from 'node:fs'
import { appendFile, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { expectProblem } from '../support/clients/problems.ts'
import { createClient, type TestClient } from '../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { signInAt } from '../support/service/killable-service.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'
import { createSmallDisk } from '../support/storage/small-disk.ts'

const disk = await createSmallDisk(200)
const { DATA_DIR: dataDir } = disk.environment
afterAll(disk.remove)

test.skipIf(dataDir === undefined)(
  'guests stop at their reserve, and operators go on, even without a free byte',
  async () => {
    const folder = String(dataDir)
    const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' }
    let service = await startByNode({ dataDir: folder, environment })
    onTestFinished(() => service.end('SIGKILL'))
    const { admin, api } = await signInAt(service.url)
    const events = [await openGallery(api), await openGallery(api), await openGallery(api)] as const
    const { event, photos } = events[0]
    const waitForReserve = () => expect.poll(() => existsSync(join(folder, 'reserve'))).toBe(true)
    await waitForReserve()

    await disk.fill(0.07)
    const comment = await commentUntilFull(service, event, photos)
    const { bavail, blocks } = await statfs(folder)
    expect(bavail).toBeGreaterThan(blocks * 0.02)
    expect(existsSync(join(folder, 'reserve'))).toBe(true)
    await operate(service, { ...events[0], comment })

    await fillCompletely(folder)
    expect((await statfs(folder)).bavail).toBe(0)
    const { feedback } = (await admin.get(`/api/admin/feedback/events/${event.id}?type=comment`)).body
    await operate(service, { ...events[1], comment: null })
    expect((await admin.delete(`/api/admin/feedback/${feedback[0].id}`)).status).toBe(200)
    expectProblem(await api.upload(event.id, Buffer.alloc(100)), 507, 'STORAGE_FULL')
    const { items } = (await admin.get('/api/admin/health')).body
    expect(items.find(({ key }: { key: string }) => key === 'disk').facts.reserve_in_use).toBe(true)

    await service.end('SIGTERM')
    for (const name of await readdir(folder)) if (name.startsWith('filler')) await rm(join(folder, name))
    service = await startByNode({ dataDir: folder, environment })
    await waitForReserve()

    await service.end('SIGTERM')
    await fillCompletely(folder)
    service = await startByNode({ dataDir: folder, environment })
    await operate(service, { ...events[2], comment: null })
  },
  180_000,
)

type Gallery = { event: TestEvent; photos: number[] }

async function openGallery(api: TestClient): Promise<Gallery> {
  const event = await createEvent(api)
  return { event, photos: await uploadPhotos(api, event.id, 3) }
}

/** Sends comments of many guests at once until the last 20 are rejected. Returns the id of a stored comment. */
async function commentUntilFull({ url }: ServiceProcess, event: TestEvent, photos: number[]): Promise<number> {
  const anonymous = createClient(url)
  const statuses: number[] = []
  let stored = 0
  for (let round = 0; round < 400; round++) {
    const sendComment = async (_: unknown, index: number) => {
      const guest = await enterAsGuest({ url, anonymous } as TestService, event)
      return guest.post(`/api/gallery/${event.slug}/photos/${photos[index % photos.length]}/feedback`, {
        feedback_type: 'comment',
        comment_text: `${round * 20 + index} ${'\u{1F4F7}'.repeat(490)}`,
      })
    }
    const answers = await Promise.all(Array.from({ length: 20 }, sendComment))
    for (const { status, body } of answers) if (status === 200) stored = body.id
    statuses.push(...answers.map(({ status }) => status))
    if (answers.every(({ status }) => status !== 200)) break
  }
  expect(new Set(statuses)).toEqual(new Set([200, 507]))
  expect(statuses.slice(-20)).toEqual(Array(20).fill(507))
  return stored
}

/** Signs in, hides a photo, deletes one for good through the trash, and the event as well. */
async function operate({ url }: ServiceProcess, { event, photos, comment }: Gallery & { comment: number | null }) {
  const credentials = { username: 'admin', password: adminPassword }
  const signIn = await createClient(url).post('/api/auth/admin/login', credentials)
  const admin = createClient(url, signIn.body.token)
  const [hidden, trashed] = photos
  const trash = `/api/admin/photos/${event.id}/trash`
  const responses = [
    signIn,
    await admin.patch(`/api/admin/photos/${event.id}/photos/${hidden}`, { visibility: 'hidden' }),
    ...(comment === null ? [] : [await admin.delete(`/api/admin/feedback/${comment}`)]),
    await admin.post(trash, { photoIds: [trashed] }),
    await admin.delete(trash),
    ...(comment === null ? [await admin.post(`/api/admin/events/${event.id}/trash`, {})] : []),
  ]
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  if (comment === null) expect((await admin.delete('/api/admin/trashed-events')).body).toEqual({ deleted: 1 })
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
