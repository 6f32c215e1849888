import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient, type TestClient } from '../support/clients/test-client.ts'
import { changeDatabase, originalName, readDatabase } from '../support/database/service-database.ts'
import { copyPhotos } from '../support/fixtures/copy-photos.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'
import { listStoredFiles } from '../support/storage/stored-files.ts'
import { createTestWebhook, listAnnounced } from '../support/webhooks/webhooks.ts'

async function startServiceWithPhotos(photoCount: number) {
  const dataDir = await temporaryFolder()
  const environment = {
    ADMIN_PASSWORD: adminPassword,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_PRIVATE_URLS: 'true',
  }
  let process: ServiceProcess = await startByNode({ dataDir, environment })
  onTestFinished(() => process.end('SIGKILL'))
  const stored = { dataDir } as TestService
  const { body } = await createClient(process.url).post('/api/auth/admin/login', {
    username: 'admin',
    password: adminPassword,
  })
  const admin = (): TestClient => createClient(process.url, body.token)
  const created = await admin().post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'] })
  const api = createClient(process.url, created.body.token)
  const event = await createEvent(api)
  const [first] = (await uploadPhotos(api, event.id, 1)) as [number]
  const ids = [first, ...(await copyPhotos(stored, event.id, first, photoCount - 1))]
  return {
    stored,
    admin,
    event,
    ids,
    end: (signal: NodeJS.Signals) => process.end(signal),
    async start() {
      process = await startByNode({ dataDir, environment })
    },
  }
}

const countWithoutDimensions = (stored: TestService) =>
  readDatabase(stored, (stored) =>
    stored.prepare('select count(*) from photos where width is null').pluck().get(),
  ) as number

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a repair ended by %s is idle after the restart; the next one does the rest',
  async (signal) => {
    const photoCount = isLongRun ? 2_000 : 500
    const { stored, admin, end, start } = await startServiceWithPhotos(photoCount)
    const status = async () => (await admin().get('/api/admin/photos/repair-dimensions/status')).body
    await changeDatabase(stored, (stored) => stored.exec('update photos set width = null, height = null'))
    expect((await admin().post('/api/admin/photos/repair-dimensions', {})).status).toBe(200)
    await vi.waitUntil(() => countWithoutDimensions(stored) < photoCount - 20, { timeout: 60_000 })
    expect(await status()).toMatchObject({ isRunning: true, lastResult: null })
    await end(signal)
    const left = countWithoutDimensions(stored)
    expect(left).toBeGreaterThan(0)

    await start()
    const done = { success: photoCount - left, failed: 0 }
    expect(await status()).toMatchObject({
      isRunning: false,
      withoutDimensions: left,
      lastResult: signal === 'SIGTERM' ? done : null,
    })
    expect((await admin().post('/api/admin/photos/repair-dimensions', {})).body.count).toBe(left)
    await vi.waitUntil(async () => !(await status()).isRunning, { timeout: 60_000, interval: 200 })
    expect((await status()).lastResult).toMatchObject({ success: left, failed: 0 })
  },
)

test('a bulk delete killed in the middle leaves only complete photos, and announces each deletion once', async () => {
  const photoCount = 2_000
  const { stored, admin, event, ids, end, start } = await startServiceWithPhotos(photoCount)
  // No server listens at this address.
  await createTestWebhook({ admin: admin() } as TestService, { url: `http://127.0.0.1:${await reservePort()}/hook` })
  const path = `/api/admin/photos/${event.id}/photos/bulk-delete`
  const rows = () =>
    readDatabase(stored, (stored) => stored.prepare('select id from photos order by id').pluck().all()) as number[]
  const cut = admin()
    .post(path, { photoIds: ids })
    .catch(() => null)
  await vi.waitUntil(() => rows().length < photoCount, { timeout: 60_000, interval: 1 })
  // Kills the service in the middle of the work.
  await sleep(20)
  await end('SIGKILL')
  expect(await cut).toBeNull()

  const left = rows()
  expect(left.length).toBeGreaterThan(0)
  const kept = new Set(await listStoredFiles(stored))
  for (const id of left) expect(kept).toContain(originalName(stored, event.id, id))
  const listAnnouncedIds = () =>
    listAnnounced(stored, 'photo.deleted')
      .map(({ data }) => data.photo.id)
      .sort((a, b) => a - b)
  expect(listAnnouncedIds()).toEqual(ids.filter((id) => !left.includes(id)))
  const totals = readDatabase(stored, (stored) => stored.prepare('select * from event_photo_totals').get())
  expect(totals).toMatchObject({ photo_count: left.length, visible_count: left.length })

  await start()
  const again = await admin().post(path, { photoIds: ids })
  expect(again.body).toEqual({ deleted: left.length, ignored: ids.filter((id) => !left.includes(id)) })
  expect(listAnnouncedIds()).toEqual(ids)
})
