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
    for (let attempt = 0; attempt < 3; attempt++) {
      const again = await create(key)
      expect([again.status, isReplay(again)]).toEqual([201, true])
      expect(again.body).toEqual(first.body)
    }
    expect(countTableRows()).toEqual(before)
  })

  test('returns the current share link when sent again', async () => {
    const key = newKey()
    const { body } = await create(key)
    const changed = await api.patch(`/api/v1/events/${body.id}`, { require_password: true, password: 'open sesame' })
    const again = await create(key)
    expect(again.body).toMatchObject({ id: body.id, share_token: changed.body.share_token })
    expect(again.body.share_token).not.toBe(body.share_token)
  })

  test('ignores field order, unknown fields and null when comparing', async () => {
    const key = newKey()
    const { body } = await create(key)
    const { event_type, ...others } = wedding
    const same = { sent_at: 'now', ...others, customer_name: null, event_type }
    expect((await create(key, same)).body.id).toBe(body.id)
  })

  test.each([
    ['another name', { event_name: 'Ana & Bob' }],
    ['a further field', { welcome_message: 'Hello' }],
    ['another password', { require_password: true, password: 'open barley' }],
  ])('with %s under the key is 422 IDEMPOTENCY_KEY_REUSED and creates nothing', async (_what, change) => {
    const key = newKey()
    await create(key, { ...wedding, require_password: true, password: 'open sesame' })
    const before = countEvents()
    const body = { ...wedding, require_password: true, password: 'open sesame', ...change }
    expectProblem(await create(key, body), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect(countEvents()).toBe(before)
  })

  test('20 at once create exactly one event; each returns 201 with its id or 409 IDEMPOTENCY_IN_PROGRESS', async () => {
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

  test('a rejected request frees the key', async () => {
    const key = newKey()
    expectInvalidField(await create(key, { ...wedding, event_type: 'no such type' }), 'event_type')
    const corrected = await create(key)
    expect([corrected.status, isReplay(corrected)]).toEqual([201, false])
  })

  test('an event deleted later is 404 and is not created again', async () => {
    const key = newKey()
    const { body } = await create(key)
    await api.delete(`/api/v1/events/${body.id}`)
    const before = countEvents()
    const again = await create(key)
    expectProblem(again, 404, 'NOT_FOUND')
    expect(again.body.error).toContain('Idempotency-Key')
    expect(countEvents()).toBe(before)
  })

  test('the key belongs to one token: another token makes another call', async () => {
    const key = newKey()
    const other = createClient(url, await createApiToken(admin, ['write']))
    const [mine, theirs] = [await create(key), await create(key, wedding, other)]
    expect([theirs.status, isReplay(theirs)]).toEqual([201, false])
    expect(theirs.body.id).not.toBe(mine.body.id)
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

  test('without a key every call counts, and an admin session ignores the key', async () => {
    const [first, second] = [await createEvent(api), await createEvent(api)]
    expect(second.id).not.toBe(first.id)
    const key = newKey()
    const byAdmin = () => admin.post('/api/admin/events', wedding, { 'idempotency-key': key })
    const [one, two] = [await byAdmin(), await byAdmin()]
    expect(two.body.id).not.toBe(one.body.id)
  })
})

describe('the key itself', () => {
  test('has up to 255 characters', async () => {
    expect((await create('k'.repeat(255))).status).toBe(201)
    expectInvalidField(await create('k'.repeat(256)), 'idempotency-key')
  })

  test.each(['', 'a\tb'])('%j is 400', async (key) => {
    expectInvalidField(await create(key), 'idempotency-key')
    expectInvalidField(await upload(key, await jpeg()), 'idempotency-key')
  })

  test('is described in the OpenAPI document, for create and upload', async () => {
    const { paths } = (await service.anonymous.get('/api/openapi.json')).body
    for (const path of ['/api/v1/events', '/api/v1/events/{event_id}/photos']) {
      const schema = expect.objectContaining({ minLength: 1, maxLength: 255 })
      const header = { in: 'header', name: 'idempotency-key', schema }
      expect(paths[path].post.parameters).toContainEqual(expect.objectContaining(header))
    }
  })
})

describe('uploading with an Idempotency-Key', () => {
  test('sent again stores and announces nothing, and returns 201 with Idempotent-Replayed: true', async () => {
    const key = newKey()
    const bytes = await jpeg({ seed: 21 })
    const first = await upload(key, bytes)
    expect([first.status, isReplay(first)]).toEqual([201, false])
    const before = [await storedState(service), countTableRows()]
    const again = await upload(key, bytes)
    expect([again.status, isReplay(again)]).toEqual([201, true])
    expect(again.body).toEqual(first.body)
    expect([await storedState(service), countTableRows()]).toEqual(before)
  })

  test('compares the fields and the content of the file, not the bytes of the body', async () => {
    const key = newKey()
    const bytes = await jpeg({ seed: 22 })
    const { body } = await upload(key, bytes)
    const again = await upload(key, bytes, { name: 'renamed.png', type: 'image/png', fields: { note: 'x' } })
    expect([again.body.id, isReplay(again)]).toEqual([body.id, true])
  })

  test('another file or another category under the key is 422 and stores nothing', async () => {
    const key = newKey()
    const [ceremony] = (await admin.get('/api/admin/categories/global')).body
    const bytes = await jpeg({ seed: 23 })
    await upload(key, bytes)
    const before = await storedState(service)
    expectProblem(await upload(key, await jpeg({ seed: 24 })), 422, 'IDEMPOTENCY_KEY_REUSED')
    const fields = { category_id: ceremony.id }
    expectProblem(await upload(key, bytes, { fields }), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect(await storedState(service)).toEqual(before)
  })

  test('another photo to replace under the key is 422 and replaces nothing', async () => {
    const key = newKey()
    const photos = [await upload(newKey(), await jpeg({ seed: 40 })), await upload(newKey(), await jpeg({ seed: 41 }))]
    const [first, second] = photos.map(({ body }) => body.id)
    const bytes = await jpeg({ seed: 42 })
    expect((await upload(key, bytes, { fields: { replaces_photo_id: first } })).status).toBe(200)
    const before = await storedState(service)
    const other = await upload(key, bytes, { fields: { replaces_photo_id: second } })
    expectProblem(other, 422, 'IDEMPOTENCY_KEY_REUSED')
    expect(await storedState(service)).toEqual(before)
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

  test('a replace sent again replaces once and returns 200 with the first previous_filename', async () => {
    const { body: photo } = await api.upload(event.id, await jpeg({ seed: 26 }))
    const key = newKey()
    const replace = async () => upload(key, await jpeg({ seed: 27 }), { fields: { replaces_photo_id: photo.id } })
    const first = await replace()
    expect(first.body.photo).toMatchObject({ id: photo.id, previous_filename: photo.filename })
    const before = [await storedState(service), countTableRows()]
    const again = await replace()
    expect([again.status, isReplay(again)]).toEqual([200, true])
    expect(again.body).toEqual(first.body)
    expect([await storedState(service), countTableRows()]).toEqual(before)
  })

  test('the key counts per route: for another event or for a create it is another call', async () => {
    const key = newKey()
    const other = await createEvent(api)
    const bytes = await jpeg({ seed: 28 })
    const { body } = await upload(key, bytes)
    const elsewhere = await api.upload(other.id, bytes, { headers: { 'idempotency-key': key } })
    expect([elsewhere.status, isReplay(elsewhere)]).toEqual([201, false])
    expect(elsewhere.body.id).not.toBe(body.id)
    expect(isReplay(await create(key))).toBe(false)
  })

  test('a rejected file frees the key', async () => {
    const key = newKey()
    expectProblem(await upload(key, new Uint8Array(Buffer.from('no image'))), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const corrected = await upload(key, await jpeg({ seed: 29 }))
    expect([corrected.status, isReplay(corrected)]).toEqual([201, false])
  })

  test('a photo deleted later is 404 and is not created again', async () => {
    const key = newKey()
    const bytes = await jpeg({ seed: 30 })
    const { body } = await upload(key, bytes)
    await admin.delete(`/api/admin/photos/${event.id}/photos/${body.id}`)
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

test('pages of CORS_ORIGINS may send the key and read the headers about it', async () => {
  const origin = 'https://app.example'
  const { anonymous } = await serviceForTest({ environment: { CORS_ORIGINS: origin } })
  const asked = { origin, 'access-control-request-headers': 'authorization,idempotency-key' }
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const headers = { ...asked, 'access-control-request-method': method }
    const preflight = await anonymous.call('OPTIONS', '/api/v1/events', { headers })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key')
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
  }
  const { headers } = await anonymous.get('/api/v1/events', { origin })
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase()
  for (const name of ['idempotent-replayed', 'x-request-id', 'retry-after', 'etag', 'content-disposition']) {
    expect(exposed).toContain(name)
  }
})
