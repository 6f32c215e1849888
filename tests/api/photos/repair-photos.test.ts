import { hostname } from 'node:os'
import sharp from 'sharp'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { hours, seconds } from '../../../server/platform/clock.ts'
import { getProcessName } from '../../../server/platform/process-names.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { copyPhotos } from '../../support/fixtures/copy-photos.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForTest, type TestService } from '../../support/service/test-service.ts'

const clock = createMovableClock()
let service: TestService
beforeEach(async () => {
  service = await serviceForTest({ edges: { clock } })
})

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

describe('the repair of dimensions', () => {
  test('changes the outline of the gallery', async () => {
    const { id, slug } = await createEvent(service.api)
    const { body } = await service.api.upload(id, await jpeg({ width: 60, height: 40 }))
    await clearSizes()
    const loadOutline = async () => (await service.admin.get(`/api/gallery/${slug}/outline`)).body.photos
    expect(await loadOutline()).toEqual([[body.id, null, null]])
    await start()
    await untilIdle()
    expect(await loadOutline()).toEqual([[body.id, 60, 40]])
  })

  test('re-extracts the sizes of all events from the files, as displayed', async () => {
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
    for (const bytes of files) {
      const event = await createEvent(service.api)
      ids.push((await service.api.upload(event.id, bytes, { name: 'a.jpg' })).body.id)
    }
    const before = loadSizes(ids)
    expect(before[1]).toEqual({ width: 40, height: 60 })
    await clearSizes(`id <> ${ids[0]}`)
    await changeDatabase(service, (stored) => stored.exec(`update photos set height = 40 where id = ${ids[2]}`))
    expect(await status()).toEqual({
      total: 4,
      withDimensions: 1,
      withoutDimensions: 3,
      isRunning: false,
      lastResult: null,
    })

    const answer = await start()
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { message: 'The repair has started. 3 photos have no dimensions yet.', count: 3 },
    })
    await untilIdle()
    expect(loadSizes(ids)).toEqual(before)
    const { lastResult, ...counts } = await status()
    expect(counts).toEqual({ total: 4, withDimensions: 4, withoutDimensions: 0, isRunning: false })
    expect(lastResult).toEqual({ success: 3, failed: 0, startedAt: expect.any(String), finishedAt: expect.any(String) })
    expect(lastResult.startedAt <= lastResult.finishedAt).toBe(true)
    for (const time of [lastResult.startedAt, lastResult.finishedAt]) expect(new Date(time).toISOString()).toBe(time)
  })

  test('reports if there is nothing to repair', async () => {
    const event = await createEvent(service.api)
    await uploadPhotos(service.api, event.id, 1)
    const answer = await start()
    expect([answer.status, answer.body]).toEqual([200, { message: 'All photos already have dimensions.', count: 0 }])
    await untilIdle()
  })

  test('counts missing or damaged files as failed, and continues; the next run tries them again', async () => {
    const event = await createEvent(service.api)
    const ids = await uploadPhotos(service.api, event.id, 5)
    const [missing, cut, garbage] = ids.map((id) => getStoredOriginal(service, event.id, id))
    const { size_bytes } = (await service.admin.get(`/api/admin/photos/${event.id}/photo/${ids[2]}`)).body
    await clearSizes()
    await missing?.remove()
    await cut?.resize(50)
    await garbage?.write(Buffer.alloc(size_bytes, 7))
    for (const round of [1, 2]) {
      await start()
      await untilIdle()
      expect((await status()).lastResult).toMatchObject({ success: round === 1 ? 2 : 0, failed: 3 })
    }
    const [known, unknown] = [
      { width: 60, height: 40 },
      { width: null, height: null },
    ]
    expect(loadSizes(ids)).toEqual([unknown, unknown, unknown, known, known])
  })

  test('skips videos', async () => {
    const event = await createEvent(service.api)
    const ids = await uploadPhotos(service.api, event.id, 2)
    await clearSizes()
    await changeDatabase(service, (stored) =>
      stored.exec(`update photos set media_type = 'video' where id = ${ids[0]}`),
    )
    expect(await status()).toMatchObject({ total: 1, withDimensions: 0, withoutDimensions: 1 })
    expect((await start()).body.count).toBe(1)
    await untilIdle()
    expect((await status()).lastResult).toMatchObject({ success: 1, failed: 0 })
    expect(loadSizes([ids[0]])).toEqual([{ width: null, height: null }])
  })

  test('starts and ends with nothing to do', async () => {
    expect(await start()).toMatchObject({ status: 200, body: { count: 0 } })
    await untilIdle()
    expect((await status()).lastResult).toMatchObject({ success: 0, failed: 0 })
  })

  test('is not for API tokens; it requires photos.edit, its status photos.view', async () => {
    const viewer = await createAccount(service, 'viewer')
    expectProblem(await viewer.admin.post('/api/admin/photos/repair-dimensions', {}), 403, 'FORBIDDEN')
    expect((await viewer.admin.get('/api/admin/photos/repair-dimensions/status')).status).toBe(200)
    expectProblem(await service.api.post('/api/admin/photos/repair-dimensions', {}), 401, 'INVALID_TOKEN')
  })
})

describe('while one is running', () => {
  test('another POST is 409 REPAIR_RUNNING, on every node', async () => {
    await setLease('another-node~17~1234#run', seconds(30))
    expect((await status()).isRunning).toBe(true)
    expectProblem(await start(), 409, 'REPAIR_RUNNING')
  })

  test('only one of many POSTs at once succeeds', async () => {
    const event = await createEvent(service.api)
    const [id] = (await uploadPhotos(service.api, event.id, 1)) as [number]
    await copyPhotos(service, event.id, id, 200)
    await clearSizes()
    const answers = await Promise.all(Array.from({ length: 8 }, start))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    await untilIdle()
    expect((await status()).lastResult).toMatchObject({ success: 201, failed: 0 })
  })

  test('another process of this host is detected too', async () => {
    await setLease(`${getProcessName()}#run`, seconds(30))
    expect((await status()).isRunning).toBe(true)
    expectProblem(await start(), 409, 'REPAIR_RUNNING')
  })
})

describe('the lease of a killed process', () => {
  test('of another host expires if it is not renewed', async () => {
    await setLease('another-node~17~1234#run', seconds(30))
    clock.advance(seconds(31))
    expect((await status()).isRunning).toBe(false)
    expect((await start()).status).toBe(200)
    await untilIdle()
  })

  test('of this host is free at once', async () => {
    await setLease(`${hostname()}~${2 ** 22 + 1}~1234#run`, hours(1))
    expect((await status()).isRunning).toBe(false)
    expect((await start()).status).toBe(200)
    await untilIdle()
  })
})
