import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { changeDatabase, originalName, readDatabase } from '../support/database/service-database.ts'
import { copyPhotos } from '../support/fixtures/copy-photos.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { listStoredFiles } from '../support/storage/stored-files.ts'
import { createTestWebhook, listAnnounced } from '../support/webhooks/webhooks.ts'

async function startServiceWithPhotos(photoCount: number) {
  const service = await startKillableService({ LOG_LEVEL: 'silent', WEBHOOK_ALLOW_PRIVATE_URLS: 'true' })
  const event = await createEvent(service.api())
  const [first = 0] = await uploadPhotos(service.api(), event.id, 1)
  const ids = [first, ...(await copyPhotos(service.stored, event.id, first, photoCount - 1))]
  return { ...service, event, ids }
}

test('a repair that a signal ends is idle after the restart; the next one does the rest', {
  tags: 'nightly',
}, async () => {
  const photoCount = isLongRun ? 2_000 : 500
  const { stored, admin, process, restart } = await startServiceWithPhotos(photoCount)
  const status = async () => (await admin().get('/api/admin/photos/repair-dimensions/status')).body
  const start = () => admin().post('/api/admin/photos/repair-dimensions', {})
  const count = () =>
    readDatabase(stored, (database) =>
      database.prepare<[], number>('select count(*) from photos where width is null').pluck().get(),
    ) ?? 0
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await changeDatabase(stored, (database) => database.exec('update photos set width = null, height = null'))
    expect((await start()).status).toBe(200)
    await vi.waitUntil(() => count() < photoCount - 20, { timeout: 60_000 })
    expect((await status()).isRunning).toBe(true)
    await process().end(signal)
    const left = count()
    expect(left).toBeGreaterThan(0)

    await restart()
    const lastResult = signal === 'SIGTERM' ? { success: photoCount - left, failed: 0 } : null
    expect(await status()).toMatchObject({ isRunning: false, withoutDimensions: left, lastResult })
    expect((await start()).body.count).toBe(left)
    await vi.waitUntil(async () => !(await status()).isRunning, { timeout: 60_000, interval: 200 })
    expect((await status()).lastResult).toMatchObject({ success: left, failed: 0 })
  }
})

test('a bulk delete killed in the middle leaves only complete photos, and announces each deletion once', async () => {
  const photoCount = isLongRun ? 2_000 : 800
  const { stored, admin, event, ids, kill, restart } = await startServiceWithPhotos(photoCount)
  // No server listens at this address.
  await createTestWebhook({ ...stored, admin: admin() }, { url: `http://127.0.0.1:${await reservePort()}/hook` })
  const path = `/api/admin/photos/${event.id}/photos/bulk-delete`
  const rows = () =>
    readDatabase(stored, (database) => database.prepare<[], number>('select id from photos order by id').pluck().all())
  const cut = admin()
    .post(path, { photoIds: ids })
    .catch(() => null)
  await vi.waitUntil(() => rows().length < photoCount, { timeout: 60_000, interval: 1 })
  // Kills the service in the middle of the work.
  await sleep(20)
  await kill()
  expect(await cut).toBeNull()

  const left = rows()
  expect(left.length).toBeGreaterThan(0)
  const kept = new Set(await listStoredFiles(stored))
  for (const id of left) expect(kept).toContain(originalName(stored, event.id, id))
  const deleted = ids.filter((id) => !left.includes(id))
  const listAnnouncedIds = () =>
    listAnnounced(stored, 'photo.deleted')
      .map(({ data }) => data.photo.id)
      .sort((a, b) => a - b)
  expect(listAnnouncedIds()).toEqual(deleted)
  const totals = readDatabase(stored, (database) => database.prepare('select * from event_photo_totals').get())
  expect(totals).toMatchObject({ photo_count: left.length, visible_count: left.length })

  await restart()
  expect((await admin().post(path, { photoIds: ids })).body).toEqual({ deleted: left.length, ignored: deleted })
  expect(listAnnouncedIds()).toEqual(ids)
})
