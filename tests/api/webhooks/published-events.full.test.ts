import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expireEvents } from '../../../server/events/expire-events.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import { days } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient, TestResponse } from '../../support/clients/test-client.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { changeDatabase, computeTableDigests } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { adminUploadsPath, initUpload, sendAllChunks } from '../../support/uploads/chunked-uploads.ts'
import { createTestWebhook, listAnnounced, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

let beforeCommit: () => Promise<unknown> = async () => undefined
const wrapStorage = (storage: Storage): Storage => ({
  ...storage,
  commit: async (files) => {
    await beforeCommit()
    return storage.commit(files)
  },
})
const service = await serviceForFile({ edges: { wrapStorage } })
const { admin, api } = service
await createTestWebhook(service)

let categoryId: number
beforeAll(async () => {
  categoryId = (await admin.get('/api/admin/categories/global')).body[0].id
})

let event: TestEvent
let photoId: number
let guest: TestClient
async function openEvent(): Promise<void> {
  event = await createEvent(api, {
    allow_user_uploads: true,
    upload_category_id: categoryId,
    customer_email: 'a@b.example',
  })
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
  guest = await enterAsGuest(service, event)
}
beforeEach(openEvent)

const listTypes = (eventId: number) => listAnnouncedOf(service, eventId).map(({ type }) => type)
const createFile = async (seed = 2) => ({ bytes: await jpeg({ seed }), name: `photo-${seed}.jpg` })
const getPhotoIds = ({ body }: TestResponse): number[] => (body.photos ?? [body]).map(({ id }: { id: number }) => id)
const eventPath = (path = '') => `/api/v1/events/${event.id}${path}`
const adminEventPath = (path = '') => `/api/admin/events/${event.id}${path}`
const adminPhotosPath = (path = '') => `/api/admin/photos/${event.id}${path}`
const galleryPath = (path: string) => `/api/gallery/${event.slug}${path}`
const expireAll = () =>
  withAppContext(service, (ctx) => expireEvents({ ...ctx, clock: { now: () => Date.now() + days(400) } }))

const sendInChunks = async (client: TestClient, base: string, init: Record<string, unknown> = {}) =>
  (await sendAllChunks(client, base, (await createFile()).bytes, init)).complete()
const sendTwo = async (client: TestClient, path: string) =>
  sendFiles(client, path, [await createFile(2), await createFile(3)])
const replaceAsAdmin = async (id = photoId) =>
  sendFiles(admin, adminPhotosPath(`/photos/${id}/replace`), [await createFile()], { field: 'photo' })
const upload = async (fields: Record<string, string | number> = {}) =>
  api.upload(event.id, (await createFile()).bytes, { fields })
const giveFavorite = () => guest.post(galleryPath(`/photos/${photoId}/feedback`), { feedback_type: 'favorite' })

describe('photo.uploaded is published once for each file', () => {
  const uploadRoutes: Array<[received: string, files: number, send: () => Promise<TestResponse>]> = [
    ['of the public API', 1, () => upload()],
    ['of an operator’s form', 2, () => sendTwo(admin, adminPhotosPath('/upload'))],
    ['that an operator sends in chunks', 1, () => sendInChunks(admin, adminUploadsPath(event.id))],
    ['of a guest’s form', 2, () => sendTwo(guest, galleryPath('/upload'))],
    ['that a guest sends in chunks', 1, () => sendInChunks(guest, galleryPath('/chunked-upload'))],
  ]
  const replaceRoutes: Array<[string, () => Promise<TestResponse>]> = [
    ['of the public API', () => upload({ replaces_photo_id: photoId })],
    ['of an operator’s form', () => replaceAsAdmin()],
    ['sent in chunks', () => sendInChunks(admin, adminUploadsPath(event.id), { replaces_photo_id: photoId })],
  ]
  test('by every way in, also for a replace', async () => {
    const publishedBy = async (send: () => Promise<TestResponse>) => {
      const before = listAnnouncedOf(service, event.id).length
      const answer = await send()
      const published = listAnnouncedOf(service, event.id).slice(before)
      return { answer, published: published.map(({ type, data }) => [type, data.photo.id, data.photo.replaced]) }
    }
    for (const [route, files, send] of uploadRoutes) {
      const { answer, published } = await publishedBy(send)
      const ids = getPhotoIds(answer)
      expect(ids, route).toHaveLength(files)
      expect(published, route).toEqual(ids.map((id) => ['photo.uploaded', id, false]))
    }
    for (const [route, send] of replaceRoutes) {
      const { answer, published } = await publishedBy(send)
      expect([answer.status, published], route).toEqual([200, [['photo.uploaded', photoId, true]]])
    }
  })

  test('and not again when the call is repeated with its Idempotency-Key', async () => {
    const { bytes } = await createFile()
    const send = () => api.upload(event.id, bytes, { headers: { 'idempotency-key': `upload ${event.id}` } })
    await send()
    const before = listAnnounced(service).length
    expect((await send()).headers.get('idempotent-replayed')).toBe('true')
    expect(listAnnounced(service)).toHaveLength(before)
  })
})

describe('photo.deleted is published once for each photo', () => {
  test('deleted alone or in bulk, even with repeated ids, but not when its event is archived or deleted', async () => {
    const listDeleted = () =>
      listAnnouncedOf(service, event.id)
        .filter(({ type }) => type === 'photo.deleted')
        .map(({ data }) => data.photo.id)
    const ids = await uploadPhotos(api, event.id, 3)
    await admin.delete(adminPhotosPath(`/photos/${photoId}`))
    await admin.delete(adminPhotosPath(`/photos/${photoId}`))
    expect(listDeleted()).toEqual([photoId])
    const [first = 0, second = 0] = ids
    await admin.post(adminPhotosPath('/photos/bulk-delete'), { photoIds: [first, second, first, 999_999] })
    await api.post(eventPath('/archive'), {})
    await api.delete(eventPath())
    expect(listDeleted().sort((a, b) => a - b)).toEqual([photoId, first, second])
  })
})

describe('the trash', () => {
  const announced = (type: 'photo.deleted' | 'photo.uploaded') =>
    listAnnounced(service, type).filter(({ data }) => data.event.id === event.id)

  test('publishes photo.deleted once, and photo.uploaded with `restored` after a restore', async () => {
    const body = { photoIds: [photoId] }
    const uploads = announced('photo.uploaded').length
    await admin.post(adminPhotosPath('/trash'), body)
    await admin.post(adminPhotosPath('/trash'), body)
    const [deleted, ...others] = announced('photo.deleted')
    expect(others).toEqual([])
    await admin.post(adminPhotosPath('/trash/bulk-restore'), body)
    await admin.post(adminPhotosPath('/trash/bulk-restore'), body)
    const [restored, ...more] = announced('photo.uploaded').slice(uploads)
    expect(more).toEqual([])
    expect(restored?.data).toEqual({ event: deleted?.data.event, photo: { ...deleted?.data.photo, restored: true } })

    await admin.post(adminPhotosPath('/trash'), body)
    await admin.post(adminPhotosPath('/trash/bulk-delete'), body)
    expect(announced('photo.deleted')).toHaveLength(2)
  })

  test('publishes event.deleted once, and event.created with `restored` after a restore', async () => {
    const before = listTypes(event.id)
    await admin.post(adminEventPath('/trash'), {})
    const restorePath = `/api/admin/trashed-events/${event.id}/restore`
    await admin.post(restorePath, {})
    await admin.post(restorePath, {})
    await admin.post(adminEventPath('/trash'), {})
    await admin.delete(`/api/admin/trashed-events/${event.id}`)
    const after = listAnnouncedOf(service, event.id).slice(before.length)
    expect(after.map(({ type }) => type)).toEqual(['event.deleted', 'event.created', 'event.deleted'])
    expect(after[1]?.data.event).toMatchObject({ is_draft: false, restored: true, share_token: event.share_token })
  })
})

describe('each change of an event is published once', () => {
  const created = ['event.created', 'event.published']

  test('created live or as a draft, with both APIs', async () => {
    const body = { event_type: 'wedding', event_name: 'Cy & Dee', require_password: false }
    for (const [client, path] of [
      [api, '/api/v1/events'],
      [admin, '/api/admin/events'],
    ] as const) {
      expect(listTypes((await client.post(path, body)).body.id)).toEqual(created)
      const draft = await client.post(path, { ...body, is_draft: true })
      expect(listTypes(draft.body.id)).toEqual(['event.created'])
    }
  })

  const operations: Array<[string, () => Promise<TestResponse>, string]> = [
    ['changed', () => api.patch(eventPath(), { event_name: 'Eve & Flo' }), 'event.updated'],
    ['changed by an operator', () => admin.put(adminEventPath(), { event_name: 'Gus & Hal' }), 'event.updated'],
    ['given another password', () => admin.post(adminEventPath('/reset-password'), {}), 'event.updated'],
    [
      'given other rules of feedback',
      () => admin.put(`/api/admin/feedback/events/${event.id}/feedback-settings`, { allow_likes: false }),
      'event.updated',
    ],
    ['archived', () => api.post(eventPath('/archive'), {}), 'event.archived'],
    ['deleted', () => api.delete(eventPath()), 'event.deleted'],
    ['archived by an operator', () => admin.post(adminEventPath('/archive'), {}), 'event.archived'],
    ['deleted by an operator', () => admin.delete(adminEventPath()), 'event.deleted'],
  ]
  test('by both APIs', async () => {
    for (const [what, operation, type] of operations) {
      if (/^(archived|deleted) by/.test(what)) await openEvent()
      const before = listTypes(event.id)
      expect((await operation()).status, what).toBe(200)
      expect(listTypes(event.id), what).toEqual([...before, type])
    }
  })

  test('published from a draft, restored from the archive, or duplicated as a draft', async () => {
    const { id } = await createEvent(api, { is_draft: true })
    for (const verb of ['publish', 'archive', 'restore']) await api.post(`/api/v1/events/${id}/${verb}`, {})
    expect(listTypes(id)).toEqual([...created, 'event.archived', 'event.restored'])
    const { body } = await admin.post(`/api/admin/events/${id}/duplicate`, {})
    expect(listTypes(body.id)).toEqual(['event.created'])
  })

  test('expired, and then archived where the setting requires it', async () => {
    await admin.put('/api/admin/settings', { general_auto_archive_on_expiry: true })
    await Promise.all([expireAll(), expireAll()])
    await admin.put('/api/admin/settings', { general_auto_archive_on_expiry: false })
    expect(listTypes(event.id).slice(-2)).toEqual(['event.expired', 'event.archived'])
    expect(listTypes(event.id).filter((type) => type === 'event.expired')).toHaveLength(1)
  })

  test('when a guest submits a selection', async () => {
    await giveFavorite()
    await guest.post(galleryPath('/selection'), { note: 'For the album' })
    expect(listTypes(event.id).filter((type) => type === 'selection.submitted')).toHaveLength(1)
  })
})

describe('what is rejected, or changes nothing, is never published', () => {
  const text = Buffer.from('no picture')
  const unchangedFields = {
    event_name: ' Ana & Ben ',
    event_type: 'wedding',
    customer_email: 'a@b.example',
    require_password: false,
    allow_user_uploads: true,
    welcome_message: null,
    is_draft: false,
  }
  const ineffectiveCalls: Array<[string, number, () => Promise<TestResponse>]> = [
    ['a file that is no image', 415, () => api.upload(event.id, text)],
    ['a replace of no photo of the event', 404, () => replaceAsAdmin(999_999)],
    [
      'an upload whose chunks are missing',
      400,
      async () => (await initUpload(admin, adminUploadsPath(event.id), { fileSize: 100 })).complete(),
    ],
    [
      'an upload that is aborted',
      200,
      async () => (await sendAllChunks(admin, adminUploadsPath(event.id), (await createFile()).bytes)).abort(),
    ],
    ['the delete of no photo of the event', 404, () => admin.delete(adminPhotosPath('/photos/999999'))],
    ['moving none to the trash', 200, () => admin.post(adminPhotosPath('/trash'), { photoIds: [999_999] })],
    ['a bulk delete of none', 200, () => admin.post(adminPhotosPath('/photos/bulk-delete'), { photoIds: [999_999] })],
    [
      'a category given by hand',
      200,
      () => admin.patch(adminPhotosPath(`/photos/${photoId}`), { category_id: categoryId }),
    ],
    ['publishing what is live', 409, () => api.post(eventPath('/publish'), {})],
    ['restoring what is live', 409, () => api.post(eventPath('/restore'), {})],
    ['an empty change', 200, () => api.patch(eventPath(), {})],
    ['a change to what is so already', 200, () => api.patch(eventPath(), unchangedFields)],
    ['a change by an operator to what is so already', 200, () => admin.put(adminEventPath(), unchangedFields)],
    [
      'rules of feedback that are so already',
      200,
      async () => {
        const path = `/api/admin/feedback/events/${event.id}/feedback-settings`
        return admin.put(path, (await admin.get(path)).body)
      },
    ],
    ['a change that may not be', 400, () => api.patch(eventPath(), { event_name: 'Eve', slug: 'mine' })],
    ['the delete of no event', 404, () => api.delete('/api/v1/events/999999')],
    ['a selection of nothing', 400, () => guest.post(galleryPath('/selection'), {})],
    ['a mark of an operator', 200, () => admin.put(adminPhotosPath(`/photos/${photoId}/mark`), { rating: 5 })],
    [
      'an upload beyond the cap',
      409,
      async () => {
        await changeDatabase(service, (stored) =>
          stored.prepare('update events set photo_cap = 1 where id = ?').run(event.id),
        )
        return upload()
      },
    ],
  ]
  test('in the archive or not; but one changed field of several is', async () => {
    const before = listAnnounced(service)
    const { updated_at } = (await api.get(eventPath())).body
    for (const [what, status, operation] of ineffectiveCalls) {
      expect((await operation()).status, what).toBe(status)
      expect(listAnnounced(service), what).toEqual(before)
    }
    expect((await api.get(eventPath())).body.updated_at).toBe(updated_at)
    const { body } = await api.patch(eventPath(), { ...unchangedFields, photo_cap: 7 })
    expect([body.photo_cap, listTypes(event.id).at(-1)]).toEqual([7, 'event.updated'])
    expect(body.updated_at > updated_at).toBe(true)
  })

  test('but the same password again is, as it creates a new link', async () => {
    for (const _time of [1, 2]) await api.patch(eventPath(), { require_password: true, password: 'open sesame' })
    const links = listAnnouncedOf(service, event.id)
      .slice(-2)
      .map(({ type, data }) => [type, data.event.share_token])
    expect(links).toEqual([
      ['event.updated', expect.any(String)],
      ['event.updated', (await api.get(eventPath())).body.share_token],
    ])
    expect(links[0]).not.toEqual(links[1])
  })

  const callsInArchive: Array<[string, () => Promise<TestResponse>]> = [
    ['an upload', () => upload()],
    ['a replace', () => replaceAsAdmin()],
    ['a delete', () => admin.delete(adminPhotosPath(`/photos/${photoId}`))],
    ['a change', () => api.patch(eventPath(), { event_name: 'Eve' })],
    ['another archiving', () => api.post(eventPath('/archive'), {})],
  ]
  test('in an archived event', async () => {
    await api.post(eventPath('/archive'), {})
    const before = listAnnounced(service)
    for (const [, operation] of callsInArchive) expect((await operation()).status).toBe(409)
    expect(listAnnounced(service)).toEqual(before)
  })
})

describe('a change and its webhook event are atomic', () => {
  /** Makes every transaction that inserts into the table fail while `use` runs. */
  async function withBrokenWrites(table: string, use: () => Promise<void>): Promise<void> {
    const restoreWrites = await makeWritesFail(service, `insert on ${table}`)
    await use().finally(restoreWrites)
  }

  const operations: Array<[string, () => Promise<TestResponse>]> = [
    ['an upload', () => upload()],
    ['a replace', () => replaceAsAdmin()],
    ['a delete', () => admin.delete(adminPhotosPath(`/photos/${photoId}`))],
    [
      'a create',
      () => api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Eve', require_password: false }),
    ],
    ['a duplicate', () => admin.post(adminEventPath('/duplicate'), {})],
    ['a change', () => api.patch(eventPath(), { event_name: 'Eve' })],
    ['the archiving', () => api.post(eventPath('/archive'), {})],
    ['the delete of an event', () => api.delete(eventPath())],
    ['a selection', () => guest.post(galleryPath('/selection'), {})],
  ]
  test('what cannot be published is rolled back', { tags: 'database' }, async () => {
    await giveFavorite()
    await withBrokenWrites('webhook_deliveries', async () => {
      const before = computeTableDigests(service)
      for (const [what, operation] of operations) {
        expect((await operation()).status, what).toBe(500)
        expect(computeTableDigests(service), what).toEqual(before)
      }
    })
  })

  const brokenTables: Array<[string, string, () => Promise<TestResponse>]> = [
    ['an upload', 'event_days', () => upload()],
    ['the archiving', 'mails', () => api.post(eventPath('/archive'), {})],
    ['a selection', 'mails', () => guest.post(galleryPath('/selection'), {})],
  ]
  test('what is rolled back is never published', async () => {
    await giveFavorite()
    await changeDatabase(service, (stored) => stored.exec('delete from event_days'))
    const before = listAnnounced(service)
    for (const [what, table, operation] of brokenTables) {
      await withBrokenWrites(table, async () => expect((await operation()).status, what).toBe(500))
    }
    expect(listAnnounced(service)).toEqual(before)
  })
})

describe('a change while a file is stored', () => {
  afterEach(() => {
    beforeCommit = async () => undefined
  })
  const uploadRoutes: Array<[string, () => Promise<TestResponse>]> = [
    ['an upload', () => upload()],
    ['a replace', () => replaceAsAdmin()],
  ]

  test.each(uploadRoutes)('makes %s publish the current share link', async (_route, send) => {
    beforeCommit = () => api.patch(eventPath(), { require_password: true, password: 'open sesame' })
    await send()
    const { share_token } = (await api.get(eventPath())).body
    expect(share_token).not.toBe(event.share_token)
    const published = listAnnouncedOf(service, event.id).slice(-2)
    expect(published.map(({ type, data }) => [type, data.event.share_token])).toEqual([
      ['event.updated', share_token],
      ['photo.uploaded', share_token],
    ])
  })

  test.each(uploadRoutes)('can make %s fail, which is then not published', async (_route, send) => {
    beforeCommit = () => api.post(eventPath('/archive'), {})
    expectProblem(await send(), 409, 'EVENT_ARCHIVED')
    expect(listTypes(event.id).at(-1)).toBe('event.archived')
  })
})

test('a webhook gets no event that it has not subscribed to, that its filter excludes, or while it is inactive', async () => {
  const webhookBody = { events: ['photo.deleted'] as const, filter: { 'data.event.id': event.id } }
  const { id } = await createTestWebhook(service, webhookBody)
  const { id: other } = await createTestWebhook(service, {
    ...webhookBody,
    filter: { 'data.event.id': [event.id + 1] },
  })
  const { id: inactive } = await createTestWebhook(service, webhookBody)
  await admin.put(`/api/admin/webhooks/${inactive}`, { active: false })
  await api.patch(eventPath(), { event_name: 'Eve' })
  await admin.delete(adminPhotosPath(`/photos/${photoId}`))
  const counts = []
  for (const webhook of [id, other, inactive]) {
    counts.push((await admin.get(`/api/admin/webhooks/${webhook}/deliveries`)).body.pagination.total)
  }
  expect(counts).toEqual([1, 0, 0])
})

test('a change succeeds and its delivery fails if the template makes more than 64 KB', async () => {
  const template = '${data.selection.note}'.repeat(64)
  const { id } = await createTestWebhook(service, { events: ['selection.submitted'], template })
  await giveFavorite()
  expect((await guest.post(galleryPath('/selection'), { note: 'x'.repeat(1025) })).status).toBe(200)
  const deliveries = `/api/admin/webhooks/${id}/deliveries`
  const [large] = (await admin.get(deliveries)).body.deliveries
  expect(large).toMatchObject({ status: 'failed', attempt_count: 0 })
  expect(large.last_error).toBe('The template produces a body of more than 64 KB.')
  expect(large.completed_at).toEqual(large.created_at)
  const detail = (await admin.get(`${deliveries}/${large.id}`)).body
  expect(detail, 'nothing was sent').toMatchObject({ payload: '', request_body: '', request_headers: null })
  const webhook = async () => (await admin.get(`/api/admin/webhooks/${id}`)).body
  expect(await webhook()).toMatchObject({ consecutive_failures: 1, last_failure_at: large.completed_at })
  expect((await admin.post(`${deliveries}/${large.id}/replay`, {})).status).toBe(202)
  expect(await webhook()).toMatchObject({ consecutive_failures: 2 })
  expect((await guest.post(galleryPath('/selection'), { note: 'x'.repeat(1024) })).status).toBe(200)
  const [small] = (await admin.get(deliveries)).body.deliveries
  expect(small.status).toBe('pending')
})
