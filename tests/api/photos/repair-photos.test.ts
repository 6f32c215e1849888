import { hostname } from 'node:os'
import sharp from 'sharp'
import { beforeEach, expect, test, vi } from 'vitest'
import { getProcessName } from '../../../server/platform/process/process-names.ts'
import { hours, seconds } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { copyPhotos } from '../../support/fixtures/copy-photos.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api } = service
/** A repair concerns all events but skips videos, so each test begins without photos. */
beforeEach(() => changeDatabase(service, (stored) => stored.exec("update photos set media_type = 'video'")))

const start = () => service.admin.post('/api/admin/photos/repair-dimensions', {})
const status = async () => (await service.admin.get('/api/admin/photos/repair-dimensions/status')).body
const untilIdle = () => vi.waitUntil(async () => !(await status()).isRunning, { timeout: 60_000 })
const clearSizes = (condition = '1 = 1') =>
  changeDatabase(service, (stored) => stored.exec(`update photos set width = null, height = null where ${condition}`))
type Size = { width: number | null; height: number | null }
const loadSizes = (ids: readonly unknown[]) =>
  readDatabase(service, (stored) =>
    ids.map((id) => stored.prepare<unknown[], Size>('select width, height from photos where id = ?').get(id)),
  )
const setLease = (holder: string, leaseMs: number) =>
  changeDatabase(service, (stored) =>
    stored.prepare('update photo_repairs set holder = ?, lease_until = ?').run(holder, clock.now() + leaseMs),
  )

test('the sizes of all events are read again from the files, as displayed', async () => {
  const idle = { total: 0, withDimensions: 0, withoutDimensions: 0, isRunning: false, lastResult: null }
  expect(await status()).toEqual(idle)
  const turned = await sharp(await jpeg({ width: 60, height: 40 }))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const files = [
    await jpeg({ width: 60, height: 40 }),
    Buffer.from(turned),
    await picture('png'),
    await picture('webp'),
  ]
  const ids: number[] = []
  let last = { id: 0, slug: '' }
  for (const bytes of files) {
    last = await createEvent(api)
    ids.push((await api.upload(last.id, bytes, { name: 'a.jpg' })).body.id)
  }
  const loadOutline = async () => (await service.admin.get(`/api/gallery/${last.slug}/outline`)).body.photos
  const before = loadSizes(ids)
  expect(before[1]).toEqual({ width: 40, height: 60 })
  await clearSizes(`id <> ${ids[0]}`)
  await changeDatabase(service, (stored) => stored.exec(`update photos set height = 40 where id = ${ids[2]}`))
  expect(await status()).toEqual({ ...idle, total: 4, withDimensions: 1, withoutDimensions: 3 })
  expect(await loadOutline()).toEqual([[ids[3], null, null]])

  expect(await start()).toMatchObject({
    status: 200,
    body: { message: 'The repair has started. 3 photos have no dimensions yet.', count: 3 },
  })
  await untilIdle()
  expect(loadSizes(ids)).toEqual(before)
  expect(await loadOutline()).toEqual([[ids[3], 60, 40]])
  const { lastResult, ...counts } = await status()
  expect(counts).toEqual({ total: 4, withDimensions: 4, withoutDimensions: 0, isRunning: false })
  expect(lastResult).toEqual({ success: 3, failed: 0, startedAt: expect.any(String), finishedAt: expect.any(String) })
  expect(lastResult.startedAt <= lastResult.finishedAt).toBe(true)
  for (const time of [lastResult.startedAt, lastResult.finishedAt]) expect(new Date(time).toISOString()).toBe(time)

  const again = await start()
  expect([again.status, again.body]).toEqual([200, { message: 'All photos already have dimensions.', count: 0 }])
  await untilIdle()
  expect((await status()).lastResult).toMatchObject({ success: 0, failed: 0 })
})

test('missing and damaged files count as failed and are tried again; videos are skipped', async () => {
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 6)
  const [missing, cut, garbage] = ids.map((id) => getStoredOriginal(service, event.id, id))
  const { size_bytes } = (await service.admin.get(`/api/admin/photos/${event.id}/photo/${ids[2]}`)).body
  await clearSizes()
  await changeDatabase(service, (stored) => stored.exec(`update photos set media_type = 'video' where id = ${ids[5]}`))
  await missing?.remove()
  await cut?.resize(50)
  await garbage?.write(Buffer.alloc(size_bytes, 7))
  expect(await status()).toMatchObject({ total: 5, withDimensions: 0, withoutDimensions: 5 })
  for (const success of [2, 0]) {
    await start()
    await untilIdle()
    expect((await status()).lastResult).toMatchObject({ success, failed: 3 })
  }
  const [known, unknown] = [
    { width: 60, height: 40 },
    { width: null, height: null },
  ]
  expect(loadSizes(ids)).toEqual([unknown, unknown, unknown, known, known, unknown])
})

test('while one is running, another POST is 409 REPAIR_RUNNING, on every node, until the lease ends', async () => {
  const otherNode = 'another-node~17~1234#run'
  for (const holder of [otherNode, `${getProcessName()}#run`]) {
    await setLease(holder, seconds(30))
    expect((await status()).isRunning).toBe(true)
    expectProblem(await start(), 409, 'REPAIR_RUNNING')
  }
  await setLease(otherNode, seconds(30))
  clock.advance(seconds(31))
  expect((await status()).isRunning).toBe(false)
  // The lease of a killed process of this host is free at once.
  await setLease(`${hostname()}~${2 ** 22 + 1}~1234#run`, hours(1))
  expect((await status()).isRunning).toBe(false)
  expect((await start()).status).toBe(200)
  await untilIdle()
})

test('only one of many POSTs at once succeeds', async () => {
  const event = await createEvent(api)
  const [id] = (await uploadPhotos(api, event.id, 1)) as [number]
  await copyPhotos(service, event.id, id, 100)
  await clearSizes()
  const answers = await Promise.all(Array.from({ length: 8 }, start))
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  await untilIdle()
  expect((await status()).lastResult).toMatchObject({ success: 101, failed: 0 })
})
