import { beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestResponse, type UploadOptions } from '../../support/clients/test-client.ts'
import { loadPhotoRows, readDatabase, storedState } from '../../support/database/service-database.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import {
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { createTestWebhook } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api, url } = service
await createTestWebhook(service)
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

let keys = 0
const newKey = () => `call ${++keys}`
const wedding = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }

const create = (key: string, body: object = wedding, by = api) =>
  by.post('/api/v1/events', body, { 'idempotency-key': key })
const upload = (key: string, bytes: Uint8Array<ArrayBuffer>, options: UploadOptions = {}, by = api) =>
  by.upload(event.id, bytes, { ...options, headers: { 'idempotency-key': key } })

type Row = { status: number; entity_id: number }

const isReplay = ({ headers }: TestResponse) => headers.get('idempotent-replayed') === 'true'
const countEvents = (of: TestService = service) =>
  readDatabase(of, (stored) => stored.prepare('select count(*) from events').pluck().get())

/** Counts the rows of each table, except the tables that are written in the background. */
const countTableRows = () =>
  readDatabase(service, (stored) => {
    const tables = stored.tables().filter((name) => name !== 'activity' && name !== 'job_runs')
    return tables.map((name) => [name, stored.prepare(`select count(*) from ${name}`).pluck().get()])
  })

describe('creating an event with an Idempotency-Key', () => {
  test('sent again creates and announces nothing, and returns 201 with Idempotent-Replayed: true', async () => {
    const key = newKey()
    const first = await create(key)
    expect([first.status, isReplay(first)]).toEqual([201, false])
    const before = countTableRows()
    for (let attempt = 0; attempt < 2; attempt++) {
      const again = await create(key)
      expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body])
    }
    expect(countTableRows()).toEqual(before)
    // Field order, unknown fields and null do not count.
    const { event_type, ...others } = wedding
    const same = { sent_at: 'now', ...others, customer_name: null, event_type }
    expect((await create(key, same)).body.id).toBe(first.body.id)
    // The current share link is returned.
    const secured = { require_password: true, password: 'open sesame' }
    const { share_token } = (await api.patch(`/api/v1/events/${first.body.id}`, secured)).body
    expect(share_token).not.toBe(first.body.share_token)
    expect((await create(key)).body).toMatchObject({ id: first.body.id, share_token })
  })

  test('with other content under the key is 422 IDEMPOTENCY_KEY_REUSED and creates nothing', async () => {
    const key = newKey()
    const secured = { ...wedding, require_password: true, password: 'open sesame' }
    await create(key, secured)
    const before = countEvents()
    for (const change of [{ event_name: 'Ana & Bob' }, { welcome_message: 'Hello' }, { password: 'open barley' }]) {
      expectProblem(await create(key, { ...secured, ...change }), 422, 'IDEMPOTENCY_KEY_REUSED')
    }
    expect(countEvents()).toBe(before)
  })

  test('20 at once create one event; each returns 201 with its id or 409', { tags: 'database' }, async () => {
    const key = newKey()
    const before = Number(countEvents())
    const body = { ...wedding, require_password: true, password: 'open sesame' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(key, body)))
    expect(countEvents()).toBe(before + 1)
    const created = answers.filter(({ status }) => status === 201)
    expect(created.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
  })

  test('a rejected request frees the key; an event deleted later is 404 and is not created again', async () => {
    const key = newKey()
    expectInvalidField(await create(key, { ...wedding, event_type: 'no such type' }), 'event_type')
    const corrected = await create(key)
    expect([corrected.status, isReplay(corrected)]).toEqual([201, false])
    await api.delete(`/api/v1/events/${corrected.body.id}`)
    const before = countEvents()
    const again = await create(key)
    expectProblem(again, 404, 'NOT_FOUND')
    expect(again.body.error).toContain('Idempotency-Key')
    expect(countEvents()).toBe(before)
  })

  test('the key belongs to one token and route; without a token or a key every call counts', async () => {
    const key = newKey()
    const other = createClient(url, await createApiToken(admin, ['write']))
    const byAdmin = () => admin.post('/api/admin/events', wedding, { 'idempotency-key': key })
    const toOther = await createEvent(api)
    const bytes = await jpeg({ seed: 28 })
    const elsewhere = () => api.upload(toOther.id, bytes, { headers: { 'idempotency-key': key } })
    const answers = [await create(key), await create(key, wedding, other), await byAdmin(), await byAdmin()]
    const uploads = [await upload(key, bytes), await elsewhere()]
    for (const created of [answers, uploads]) {
      expect(created.map((answer) => [answer.status, isReplay(answer)])).toEqual(created.map(() => [201, false]))
      expect(new Set(created.map(({ body }) => body.id)).size).toBe(created.length)
    }
  })

  test('expires after 24 hours', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const key = newKey()
    const { body } = await create(key, wedding, timed.api)
    clock.advance(24 * 3_600_000 - 5_000)
    expect((await create(key, wedding, timed.api)).body.id).toBe(body.id)
    clock.advance(10_000)
    const later = await create(key, wedding, timed.api)
    expect([later.status, isReplay(later), later.body.id === body.id]).toEqual([201, false, false])
  })

  test('stores neither the key nor a password in the database', async () => {
    const [key, password] = ['a key to be looked for', 'a password to be looked for']
    const { body } = await create(key, { ...wedding, require_password: true, password })
    const rows = readDatabase(service, (stored) => stored.prepare('select * from idempotency_keys').all()) as Row[]
    expect(rows.filter(({ status, entity_id }) => status === 201 && entity_id === body.id)).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/to be looked for/)
  })
})

test('the key has 1 to 255 characters, and is described for create and upload', async () => {
  expect((await create('k'.repeat(255))).status).toBe(201)
  for (const key of ['', 'a\tb', 'k'.repeat(256)]) {
    expectInvalidField(await create(key), 'idempotency-key')
    expectInvalidField(await upload(key, await jpeg()), 'idempotency-key')
  }
  const { paths } = (await service.anonymous.get('/api/openapi.json')).body
  for (const path of ['/api/v1/events', '/api/v1/events/{event_id}/photos']) {
    const schema = expect.objectContaining({ minLength: 1, maxLength: 255 })
    const header = { in: 'header', name: 'idempotency-key', schema }
    expect(paths[path].post.parameters).toContainEqual(expect.objectContaining(header))
  }
})

describe('uploading with an Idempotency-Key', () => {
  test('sent again stores and announces nothing; only content and category of the file are compared', async () => {
    const key = newKey()
    const bytes = await jpeg({ seed: 21 })
    const first = await upload(key, bytes)
    expect([first.status, isReplay(first)]).toEqual([201, false])
    const before = [await storedState(service), countTableRows()]
    const renamed = { name: 'renamed.png', type: 'image/png', fields: { note: 'x' } }
    for (const again of [await upload(key, bytes), await upload(key, bytes, renamed)]) {
      expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body])
    }
    expectProblem(await upload(key, await jpeg({ seed: 24 })), 422, 'IDEMPOTENCY_KEY_REUSED')
    const [ceremony] = (await admin.get('/api/admin/categories/global')).body
    const fields = { category_id: ceremony.id }
    expectProblem(await upload(key, bytes, { fields }), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect([await storedState(service), countTableRows()]).toEqual(before)
  })

  test('20 at once create exactly one photo', async () => {
    const key = newKey()
    const before = await storedState(service)
    const bytes = await jpeg({ seed: 25, width: 600 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(key, bytes)))
    expect(loadPhotoRows(service)).toHaveLength(before.rows.length + 1)
    expect(await listStoredFiles(service)).toHaveLength(before.files.length + 2)
    const created = answers.filter(({ status }) => status === 201)
    expect(created.filter((answer) => !isReplay(answer))).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS')
    }
    expect((await upload(key, bytes)).body.id).toBe(created[0]?.body.id)
  })

  test('a replace sent again replaces once and returns the first previous_filename; another photo is 422', async () => {
    const { body } = await upload(newKey(), await jpeg({ seed: 26 }))
    const otherId = (await upload(newKey(), await jpeg({ seed: 40 }))).body.id
    const key = newKey()
    const bytes = await jpeg({ seed: 27 })
    const replace = (replaces_photo_id: number) => upload(key, bytes, { fields: { replaces_photo_id } })
    const first = await replace(body.id)
    expect(first.body.photo).toMatchObject({ id: body.id, previous_filename: body.filename })
    const before = [await storedState(service), countTableRows()]
    const again = await replace(body.id)
    expect([again.status, isReplay(again), again.body]).toEqual([200, true, first.body])
    expectProblem(await replace(otherId), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect([await storedState(service), countTableRows()]).toEqual(before)
  })

  test('a rejected file frees the key; a photo deleted later is 404 and is not created again', async () => {
    const key = newKey()
    expectProblem(await upload(key, new Uint8Array(Buffer.from('no image'))), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const bytes = await jpeg({ seed: 29 })
    const corrected = await upload(key, bytes)
    expect([corrected.status, isReplay(corrected)]).toEqual([201, false])
    await admin.delete(`/api/admin/photos/${event.id}/photos/${corrected.body.id}`)
    const before = await storedState(service)
    expectProblem(await upload(key, bytes), 404, 'NOT_FOUND')
    expect(await storedState(service)).toEqual(before)
  })
})

describe('while an upload is running', () => {
  /** Starts a service whose uploads stop before their files are committed, until each one is released. */
  async function startStoppingService() {
    const clock = createMovableClock()
    const stopped: Array<() => void> = []
    const wrapStorage = (storage: Storage): Storage => ({
      ...storage,
      async commit(files) {
        await new Promise<void>((resolve) => stopped.push(resolve))
        return storage.commit(files)
      },
    })
    const stopping = await serviceForTest({ edges: { clock, wrapStorage } })
    const { id } = await createEvent(stopping.api)
    const bytes = await jpeg()
    const other = await jpeg({ seed: 2 })
    const send = (content = bytes) => stopping.api.upload(id, content, { headers: { 'idempotency-key': 'k' } })
    const expectStopped = (count: number) => expect.poll(() => stopped.length).toBe(count)
    return { clock, stopping, stopped, send, other, expectStopped }
  }

  test('the key is 409 with Retry-After, with other content 422, and replays after the upload', async () => {
    const { clock, stopped, send, other, expectStopped } = await startStoppingService()
    const first = send()
    await expectStopped(1)
    clock.advance(20_000)
    const concurrent = await send()
    expectProblem(concurrent, 409, 'IDEMPOTENCY_IN_PROGRESS')
    expect(Number(concurrent.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(concurrent.headers.get('retry-after'))).toBeLessThanOrEqual(40)
    expectProblem(await send(other), 422, 'IDEMPOTENCY_KEY_REUSED')
    stopped[0]?.()
    const { status, body } = await first
    expect(status).toBe(201)
    expect((await send()).body.id).toBe(body.id)
  })

  test('a lease of 60 s frees the key; the first upload to finish counts, and the other stores nothing', async () => {
    const { clock, stopping, stopped, send, expectStopped } = await startStoppingService()
    const first = send()
    await expectStopped(1)
    clock.advance(61_000)
    const second = send()
    await expectStopped(2)
    stopped[0]?.()
    const answered = await first
    expect(answered.status).toBe(201)
    stopped[1]?.()
    expectProblem(await second, 409, 'IDEMPOTENCY_IN_PROGRESS')
    expect(loadPhotoRows(stopping)).toHaveLength(1)
    expect(await listStoredFiles(stopping)).toHaveLength(2)
    expect((await send()).body.id).toBe(answered.body.id)
  })
})
