import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient, type TestClient } from '../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

const rounds = isLongRun ? 6 : 3
const concurrentUploads = 6

test('kill -9 during uploads: each confirmed photo is stored, every row has its files, staging is empty', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn' }
  const confirmed = new Map<number, string>()
  let token: string | null = null
  let event: TestEvent | null = null

  for (let round = 0; round < rounds; round++) {
    const service = await startByNode({ dataDir, environment })
    token ??= await makeToken(service.url)
    const api = createClient(service.url, token)
    event ??= await createEvent(api)
    const { id } = event
    const isStopped = { value: false }
    const before = confirmed.size
    const uploads = Array.from({ length: concurrentUploads }, (_, worker) =>
      keepUploading(api, id, worker, confirmed, isStopped),
    )
    // Waits until some uploads are confirmed and others are running, however slow the machine is.
    await expect.poll(() => confirmed.size, { interval: 10 }).toBeGreaterThan(before + 1)
    // Kills the service at a different moment in each round.
    await new Promise((resolve) => setTimeout(resolve, (round * 820) / rounds))
    await service.end('SIGKILL')
    isStopped.value = true
    await Promise.all(uploads)
  }

  const service = await startByNode({ dataDir, environment })
  try {
    if (!event || !token) throw new Error('Nothing was begun')
    const api = createClient(service.url, token)
    const photos = await allPhotos(api, event.id)
    expect(confirmed.size).toBeGreaterThan(concurrentUploads)
    const stored = new Map(photos.map((photo) => [photo.id, photo.content_hash]))
    expect([...confirmed].filter(([id, hash]) => stored.get(id) !== hash)).toEqual([])

    const anonymous = createClient(service.url)
    const guest = await enterAsGuest({ url: service.url, anonymous } as never, event)
    for (const { id, size_bytes } of photos) {
      const original = await guest.get(`/api/gallery/${event.slug}/photo/${id}`)
      expect([original.status, original.bytes.length]).toEqual([200, size_bytes])
      expect((await guest.get(`/api/gallery/${event.slug}/thumbnail/${id}`)).status).toBe(200)
    }
    const { photo_count } = (await api.get(`/api/v1/events/${event.id}`)).body
    expect(photo_count).toBe(photos.length)
    const staging = () => readdirSync(join(dataDir, 'media/staging'), { recursive: true, withFileTypes: true })
    await expect.poll(() => staging().filter((entry) => entry.isFile()).length).toBe(0)
  } finally {
    await service.end('SIGTERM')
  }
}, 240_000)

async function makeToken(url: string): Promise<string> {
  const { body } = await createClient(url).post('/api/auth/admin/login', {
    username: 'admin',
    password: adminPassword,
  })
  const created = await createClient(url, body.token).post('/api/admin/api-tokens', { name: 'test', scopes: ['write'] })
  return created.body.token
}

async function keepUploading(
  api: TestClient,
  eventId: number,
  worker: number,
  confirmed: Map<number, string>,
  isStopped: { value: boolean },
): Promise<void> {
  for (let count = 0; !isStopped.value; count++) {
    const picture = await jpeg({ width: 600, height: 400, seed: worker * 1000 + count })
    // The connection breaks when the service is killed. Only confirmed uploads count.
    const response = await api.upload(eventId, picture).catch(() => null)
    if (response?.status === 201) confirmed.set(response.body.id, response.body.content_hash)
  }
}

async function allPhotos(api: TestClient, eventId: number) {
  const photos: Array<{ id: number; size_bytes: number; content_hash: string }> = []
  for (let page = 1; ; page++) {
    const { body } = await api.get(`/api/v1/events/${eventId}/photos?limit=100&page=${page}`)
    photos.push(...body.photos)
    if (page >= body.pagination.pages) return photos
  }
}
