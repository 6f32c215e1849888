import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expireEvents } from '../../server/events/expire-events.ts'
import { days } from '../../server/platform/clock.ts'
import type { Storage } from '../../server/platform/storage/storage.ts'
import { withAppContext } from '../support/accounts.ts'
import { breakWrites } from '../support/broken-writes.ts'
import { adminUploads, initUpload, sendWhole } from '../support/chunked-uploads.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/events.ts'
import { sendFiles } from '../support/guest-uploads.ts'
import { jpeg } from '../support/pictures.ts'
import { expectProblem } from '../support/problems.ts'
import { changeDatabase, digestOfTables } from '../support/stored.ts'
import type { Answer, TestClient } from '../support/test-client.ts'
import { serviceForFile } from '../support/test-service.ts'
import { announced, announcedOf, subscribe } from '../support/webhooks.ts'

let whileStoring: () => Promise<unknown> = async () => undefined
const wrapStorage = (storage: Storage): Storage => ({
  ...storage,
  commit: async (files) => {
    await whileStoring()
    return storage.commit(files)
  },
})
const service = await serviceForFile({ edges: { wrapStorage } })
const { admin, api } = service
await subscribe(service)

let categoryId: number
beforeAll(async () => {
  categoryId = (await admin.get('/api/admin/categories/global')).body[0].id
})

let event: TestEvent
let photoId: number
let guest: TestClient
beforeEach(async () => {
  event = await createEvent(api, {
    allow_user_uploads: true,
    upload_category_id: categoryId,
    customer_email: 'a@b.example',
  })
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
  guest = await enterAsGuest(service, event)
})

const typesOf = (eventId: number) => announcedOf(service, eventId).map(({ type }) => type)
const file = async (seed = 2) => ({ bytes: await jpeg({ seed }), name: `photo-${seed}.jpg` })
const idsIn = ({ body }: Answer): number[] => (body.photos ?? [body]).map(({ id }: { id: number }) => id)
const v1 = (path = '') => `/api/v1/events/${event.id}${path}`
const adminEvent = (path = '') => `/api/admin/events/${event.id}${path}`
const adminPhotos = (path = '') => `/api/admin/photos/${event.id}${path}`
const gallery = (path: string) => `/api/gallery/${event.slug}${path}`
const expireAll = () =>
  withAppContext(service, (ctx) => expireEvents({ ...ctx, clock: { now: () => Date.now() + days(400) } }))

const inChunks = async (client: TestClient, base: string, init: Record<string, unknown> = {}) =>
  (await sendWhole(client, base, (await file()).bytes, init)).complete()
const replaceAsAdmin = async (id = photoId) => {
  const { bytes, name } = await file()
  const body = new FormData()
  body.append('photo', new Blob([bytes], { type: 'image/jpeg' }), name)
  return admin.call('POST', adminPhotos(`/photos/${id}/replace`), { body })
}
const favorite = () => guest.post(gallery(`/photos/${photoId}/feedback`), { feedback_type: 'favorite' })

describe('photo.uploaded is published once for each file', () => {
  const doors: Array<[door: string, files: number, send: () => Promise<Answer>]> = [
    ['of the public API', 1, async () => api.upload(event.id, (await file()).bytes)],
    ['of an operator’s form', 2, async () => sendFiles(admin, adminPhotos('/upload'), [await file(2), await file(3)])],
    ['that an operator sends in chunks', 1, () => inChunks(admin, adminUploads(event.id))],
    ['of a guest’s form', 2, async () => sendFiles(guest, gallery('/upload'), [await file(2), await file(3)])],
    ['that a guest sends in chunks', 1, () => inChunks(guest, gallery('/chunked-upload'))],
  ]
  test.each(doors)('%s', async (_door, files, send) => {
    const before = announcedOf(service, event.id).length
    const ids = idsIn(await send())
    expect(ids).toHaveLength(files)
    const told = announcedOf(service, event.id).slice(before)
    expect(told.map(({ type, data }) => [type, data.photo.id, data.photo.replaced])).toEqual(
      ids.map((id) => ['photo.uploaded', id, false]),
    )
  })

  const replaces: Array<[string, () => Promise<Answer>]> = [
    [
      'of the public API',
      async () => api.upload(event.id, (await file()).bytes, { fields: { replaces_photo_id: photoId } }),
    ],
    ['of an operator’s form', () => replaceAsAdmin()],
    ['sent in chunks', () => inChunks(admin, adminUploads(event.id), { replaces_photo_id: photoId })],
  ]
  test.each(replaces)('that replaces another, %s', async (_door, send) => {
    const before = announcedOf(service, event.id).length
    expect((await send()).status).toBe(200)
    const told = announcedOf(service, event.id).slice(before)
    expect(told.map(({ type, data }) => [type, data.photo.id, data.photo.replaced])).toEqual([
      ['photo.uploaded', photoId, true],
    ])
  })

  test('and not again when the call is repeated with its Idempotency-Key', async () => {
    const { bytes } = await file()
    const send = () => api.upload(event.id, bytes, { headers: { 'idempotency-key': `upload ${event.id}` } })
    await send()
    const before = announced(service).length
    expect((await send()).headers.get('idempotent-replayed')).toBe('true')
    expect(announced(service)).toHaveLength(before)
  })
})

describe('photo.deleted is published once for each photo', () => {
  test('deleted alone', async () => {
    await admin.delete(adminPhotos(`/photos/${photoId}`))
    await admin.delete(adminPhotos(`/photos/${photoId}`))
    const told = announced(service, 'photo.deleted').filter(({ data }) => data.event.id === event.id)
    expect(told.map(({ data }) => data.photo.id)).toEqual([photoId])
  })

  test('deleted in bulk, even with repeated ids', async () => {
    const ids = [photoId, ...(await uploadPhotos(api, event.id, 2))]
    await admin.post(adminPhotos('/photos/bulk-delete'), { photoIds: [...ids, ...ids, 999_999] })
    const told = announced(service, 'photo.deleted').filter(({ data }) => data.event.id === event.id)
    expect(told.map(({ data }) => data.photo.id).sort((a, b) => a - b)).toEqual(ids)
  })

  test('but not when its event is archived or deleted', async () => {
    await api.post(v1('/archive'), {})
    await api.delete(v1())
    expect(typesOf(event.id)).not.toContain('photo.deleted')
  })
})

describe('each change of an event is published once', () => {
  const created = ['event.created', 'event.published']

  test.each<[string, object, string[]]>([
    ['created live', { is_draft: false }, created],
    ['created as a draft', { is_draft: true }, ['event.created']],
  ])('%s, with both APIs', async (_how, state, types) => {
    const body = { event_type: 'wedding', event_name: 'Cy & Dee', require_password: false, ...state }
    for (const [client, path] of [
      [api, '/api/v1/events'],
      [admin, '/api/admin/events'],
    ] as const) {
      expect(typesOf((await client.post(path, body)).body.id)).toEqual(types)
    }
  })

  const operations: Array<[string, () => Promise<Answer>, string]> = [
    ['archived', () => api.post(v1('/archive'), {}), 'event.archived'],
    ['archived by an operator', () => admin.post(adminEvent('/archive'), {}), 'event.archived'],
    ['changed', () => api.patch(v1(), { event_name: 'Eve & Flo' }), 'event.updated'],
    ['changed by an operator', () => admin.put(adminEvent(), { event_name: 'Eve & Flo' }), 'event.updated'],
    ['given another password', () => admin.post(adminEvent('/reset-password'), {}), 'event.updated'],
    [
      'given other rules of feedback',
      () => admin.put(`/api/admin/feedback/events/${event.id}/feedback-settings`, { allow_likes: false }),
      'event.updated',
    ],
    ['deleted', () => api.delete(v1()), 'event.deleted'],
    ['deleted by an operator', () => admin.delete(adminEvent()), 'event.deleted'],
  ]
  test.each(operations)('%s', async (_what, operation, type) => {
    const before = typesOf(event.id)
    expect((await operation()).status).toBe(200)
    expect(typesOf(event.id)).toEqual([...before, type])
  })

  test('published from a draft, and restored from the archive', async () => {
    const { id } = await createEvent(api, { is_draft: true })
    for (const verb of ['publish', 'archive', 'restore']) await api.post(`/api/v1/events/${id}/${verb}`, {})
    expect(typesOf(id)).toEqual([...created, 'event.archived', 'event.restored'])
  })

  test('duplicated: of the copy, which is a draft', async () => {
    const { body } = await admin.post(adminEvent('/duplicate'), {})
    expect(typesOf(body.id)).toEqual(['event.created'])
  })

  test('expired, and then archived where the setting requires it', async () => {
    await admin.put('/api/admin/settings', { general_auto_archive_on_expiry: true })
    await Promise.all([expireAll(), expireAll()])
    await admin.put('/api/admin/settings', { general_auto_archive_on_expiry: false })
    expect(typesOf(event.id).slice(-2)).toEqual(['event.expired', 'event.archived'])
    expect(typesOf(event.id).filter((type) => type === 'event.expired')).toHaveLength(1)
  })

  test('when a guest submits a selection', async () => {
    await favorite()
    await guest.post(gallery('/selection'), { note: 'For the album' })
    expect(typesOf(event.id).filter((type) => type === 'selection.submitted')).toHaveLength(1)
  })
})

describe('what is rejected, or changes nothing, is never published', () => {
  const text = Buffer.from('no picture')
  const asItIs = {
    event_name: ' Ana & Ben ',
    event_type: 'wedding',
    customer_email: 'a@b.example',
    require_password: false,
    allow_user_uploads: true,
    welcome_message: null,
    is_draft: false,
  }
  const nothing: Array<[string, number, () => Promise<Answer>]> = [
    ['a file that is no image', 415, () => api.upload(event.id, text)],
    ['an image that cannot be read', 422, async () => api.upload(event.id, (await file()).bytes.subarray(0, 150))],
    [
      'an upload into an unknown category',
      400,
      async () => api.upload(event.id, (await file()).bytes, { fields: { category_id: 999 } }),
    ],
    [
      'an upload beyond the cap',
      409,
      async () => {
        await changeDatabase(service, (stored) =>
          stored.prepare('update events set photo_cap = 1 where id = ?').run(event.id),
        )
        return api.upload(event.id, (await file()).bytes)
      },
    ],
    [
      'a replace by what is no image',
      415,
      () => api.upload(event.id, text, { fields: { replaces_photo_id: photoId } }),
    ],
    ['a replace of no photo of the event', 404, () => replaceAsAdmin(999_999)],
    [
      'an upload whose chunks are missing',
      400,
      async () => (await initUpload(admin, adminUploads(event.id), { fileSize: 100 })).complete(),
    ],
    [
      'an upload that is aborted',
      200,
      async () => (await sendWhole(admin, adminUploads(event.id), (await file()).bytes)).abort(),
    ],
    ['the delete of no photo of the event', 404, () => admin.delete(adminPhotos('/photos/999999'))],
    ['a bulk delete of none', 200, () => admin.post(adminPhotos('/photos/bulk-delete'), { photoIds: [999_999] })],
    [
      'a category given by hand',
      200,
      () => admin.patch(adminPhotos(`/photos/${photoId}`), { category_id: categoryId }),
    ],
    ['publishing what is live', 409, () => api.post(v1('/publish'), {})],
    ['restoring what is live', 409, () => api.post(v1('/restore'), {})],
    ['an empty change', 200, () => api.patch(v1(), {})],
    ['a change to what is so already', 200, () => api.patch(v1(), asItIs)],
    ['a change by an operator to what is so already', 200, () => admin.put(adminEvent(), asItIs)],
    [
      'rules of feedback that are so already',
      200,
      async () => {
        const path = `/api/admin/feedback/events/${event.id}/feedback-settings`
        return admin.put(path, (await admin.get(path)).body)
      },
    ],
    ['a change that may not be', 400, () => api.patch(v1(), { event_name: 'Eve', slug: 'mine' })],
    [
      'a create without a password',
      400,
      () => api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Eve' }),
    ],
    ['the delete of no event', 404, () => api.delete('/api/v1/events/999999')],
    ['a selection of nothing', 400, () => guest.post(gallery('/selection'), {})],
    ['a mark of an operator', 200, () => admin.put(adminPhotos(`/photos/${photoId}/mark`), { rating: 5 })],
  ]
  test.each(nothing)('%s', async (_what, status, operation) => {
    const before = announced(service)
    const { updated_at } = (await api.get(v1())).body
    expect((await operation()).status).toBe(status)
    expect(announced(service)).toEqual(before)
    expect((await api.get(v1())).body.updated_at).toBe(updated_at)
  })

  test('but one changed field of several is published', async () => {
    const { updated_at } = (await api.get(v1())).body
    const { body } = await api.patch(v1(), { ...asItIs, photo_cap: 7 })
    expect([body.photo_cap, typesOf(event.id).at(-1)]).toEqual([7, 'event.updated'])
    expect(body.updated_at > updated_at).toBe(true)
  })

  test('but the same password again is, as it creates a new link', async () => {
    for (const _time of [1, 2]) await api.patch(v1(), { require_password: true, password: 'open sesame' })
    const links = announcedOf(service, event.id)
      .slice(-2)
      .map(({ type, data }) => [type, data.event.share_token])
    expect(links).toEqual([
      ['event.updated', expect.any(String)],
      ['event.updated', (await api.get(v1())).body.share_token],
    ])
    expect(links[0]).not.toEqual(links[1])
  })

  const inArchive: Array<[string, () => Promise<Answer>]> = [
    ['an upload', async () => api.upload(event.id, (await file()).bytes)],
    ['a replace', () => replaceAsAdmin()],
    ['a delete', () => admin.delete(adminPhotos(`/photos/${photoId}`))],
    ['a change', () => api.patch(v1(), { event_name: 'Eve' })],
    ['another archiving', () => api.post(v1('/archive'), {})],
  ]
  test('in an archived event', async () => {
    await api.post(v1('/archive'), {})
    const before = announced(service)
    for (const [, operation] of inArchive) expect((await operation()).status).toBe(409)
    expect(announced(service)).toEqual(before)
  })
})

describe('a change and its webhook event are atomic', () => {
  /** Makes every transaction that inserts into the table fail while `use` runs. */
  async function whileBroken(table: string, use: () => Promise<void>): Promise<void> {
    const mend = await breakWrites(service, `insert on ${table}`)
    await use().finally(mend)
  }

  const operations: Array<[string, () => Promise<Answer>]> = [
    ['an upload', async () => api.upload(event.id, (await file()).bytes)],
    ['a replace', () => replaceAsAdmin()],
    ['a delete', () => admin.delete(adminPhotos(`/photos/${photoId}`))],
    [
      'a create',
      () => api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Eve', require_password: false }),
    ],
    ['a duplicate', () => admin.post(adminEvent('/duplicate'), {})],
    ['a change', () => api.patch(v1(), { event_name: 'Eve' })],
    ['the archiving', () => api.post(v1('/archive'), {})],
    ['the delete of an event', () => api.delete(v1())],
    ['a selection', () => guest.post(gallery('/selection'), {})],
  ]
  test.each(operations)('%s that cannot be published is rolled back', async (_what, operation) => {
    await favorite()
    await whileBroken('webhook_deliveries', async () => {
      const before = digestOfTables(service)
      expect((await operation()).status).toBe(500)
      expect(digestOfTables(service)).toEqual(before)
    })
  })

  test.each<[string, string, () => Promise<Answer>]>([
    ['an upload', 'event_days', async () => api.upload(event.id, (await file()).bytes)],
    ['the archiving', 'mails', () => api.post(v1('/archive'), {})],
    ['a selection', 'mails', () => guest.post(gallery('/selection'), {})],
  ])('%s that is rolled back is never published', async (_what, table, operation) => {
    await favorite()
    await changeDatabase(service, (stored) => stored.exec('delete from event_days'))
    const before = announced(service)
    await whileBroken(table, async () => {
      expect((await operation()).status).toBe(500)
    })
    expect(announced(service)).toEqual(before)
  })
})

describe('a change while a file is stored', () => {
  afterEach(() => {
    whileStoring = async () => undefined
  })
  const doors: Array<[string, () => Promise<Answer>]> = [
    ['an upload', async () => api.upload(event.id, (await file()).bytes)],
    ['a replace', () => replaceAsAdmin()],
  ]

  test.each(doors)('makes %s publish the current share link', async (_door, send) => {
    whileStoring = () => api.patch(v1(), { require_password: true, password: 'open sesame' })
    await send()
    const { share_token } = (await api.get(v1())).body
    expect(share_token).not.toBe(event.share_token)
    const told = announcedOf(service, event.id).slice(-2)
    expect(told.map(({ type, data }) => [type, data.event.share_token])).toEqual([
      ['event.updated', share_token],
      ['photo.uploaded', share_token],
    ])
  })

  test.each(doors)('can make %s fail, which is then not published', async (_door, send) => {
    whileStoring = () => api.post(v1('/archive'), {})
    expectProblem(await send(), 409, 'EVENT_ARCHIVED')
    expect(typesOf(event.id).at(-1)).toBe('event.archived')
  })
})

test('a webhook gets no event that it has not subscribed to, that its filter excludes, or while it is inactive', async () => {
  const mine = { events: ['photo.deleted'] as const, filter: { 'data.event.id': event.id } }
  const { id } = await subscribe(service, mine)
  const { id: other } = await subscribe(service, { ...mine, filter: { 'data.event.id': [event.id + 1] } })
  const { id: inactive } = await subscribe(service, mine)
  await admin.put(`/api/admin/webhooks/${inactive}`, { active: false })
  await api.patch(v1(), { event_name: 'Eve' })
  await admin.delete(adminPhotos(`/photos/${photoId}`))
  const counts = []
  for (const webhook of [id, other, inactive]) {
    counts.push((await admin.get(`/api/admin/webhooks/${webhook}/deliveries`)).body.pagination.total)
  }
  expect(counts).toEqual([1, 0, 0])
})

test('a change succeeds and its delivery fails if the template makes more than 64 KB', async () => {
  const template = '${data.selection.note}'.repeat(64)
  const { id } = await subscribe(service, { events: ['selection.submitted'], template })
  await favorite()
  expect((await guest.post(gallery('/selection'), { note: 'x'.repeat(1025) })).status).toBe(200)
  const deliveries = `/api/admin/webhooks/${id}/deliveries`
  const [large] = (await admin.get(deliveries)).body.deliveries
  expect(large).toMatchObject({ status: 'failed', attempt_count: 0 })
  expect(large.last_error).toBe('The template makes a body of more than 64 KB.')
  expect(large.completed_at).toEqual(large.created_at)
  const detail = (await admin.get(`${deliveries}/${large.id}`)).body
  expect(detail, 'nothing was sent').toMatchObject({ payload: '', request_body: '', request_headers: null })
  const webhook = async () => (await admin.get(`/api/admin/webhooks/${id}`)).body
  expect(await webhook()).toMatchObject({ consecutive_failures: 1, last_failure_at: large.completed_at })
  expect((await admin.post(`${deliveries}/${large.id}/replay`, {})).status).toBe(202)
  expect(await webhook()).toMatchObject({ consecutive_failures: 2 })
  expect((await guest.post(gallery('/selection'), { note: 'x'.repeat(1024) })).status).toBe(200)
  const [small] = (await admin.get(deliveries)).body.deliveries
  expect(small.status).toBe('pending')
})
