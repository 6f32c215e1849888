import { expect, test } from 'vitest'
import { purgeTrash } from '../../../server/photos/trash/purge-trash.ts'
import { days } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, withAppContext } from '../../support/fixtures/accounts.ts'
import { assignmentPath, createCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api, admin, anonymous } = service

const name = 'Marked for the trash'
const trash = ({ id }: Pick<TestEvent, 'id'>) => admin.post(`/api/admin/events/${id}/trash`, {})
const restore = ({ id }: Pick<TestEvent, 'id'>) => admin.post(`/api/admin/trashed-events/${id}/restore`, {})
const listTrash = async (client = admin) => (await client.get('/api/admin/trashed-events')).body.events

const gallerySession = (guest: TestClient, { slug }: TestEvent) => guest.get(`/api/gallery/${slug}/photos`)
const enter = ({ slug, share_token }: Pick<TestEvent, 'slug' | 'share_token'>) =>
  anonymous.post('/api/auth/gallery/share-login', { slug, token: share_token })

/** Reads of an event by anybody; each has the name of the event in its response, or is named here with its status. */
function listReads(event: TestEvent, guest: TestClient, photoId: number) {
  const { id, slug } = event
  const inAdmin = ['', '/members', '/guests', '/selections', '/share-link'].map((path) => `events/${id}${path}`)
  const below = ['photos', 'photo-ids', `photos/${photoId}/camera`, `thumbnail/${photoId}`, 'download', 'trash']
  const photoPaths = below.map((path) => `photos/${id}/${path}`)
  const feedbackPaths = ['', '/picks', '/notes', '/export?format=csv', '/exports']
  const feedback = feedbackPaths.map((path) => `feedback/events/${id}${path}`)
  const publicPaths = ['', '/photos', '/photos/download', '/share-link', `/photos/${photoId}/download`]
  const gallery = ['photos', 'outline', 'session', 'selection', `thumbnail/${photoId}`, 'download-all', 'info']
  const lists = ['events', 'dashboard', 'customers', 'mail/outbox', 'activity'].map((path) => `/api/admin/${path}`)
  const of = (client: TestClient, base: string, paths: string[], isOfEvent = true) =>
    paths.map((path) => ({ isOfEvent, path: base + path, client }))
  return [
    ...of(admin, '/api/admin/', [...inAdmin, ...photoPaths, ...feedback]),
    ...of(admin, '', lists, false),
    ...of(api, `/api/v1/events/${id}`, publicPaths),
    ...of(api, '', ['/api/v1/events'], false),
    ...of(guest, `/api/gallery/${slug}/`, gallery),
    ...of(guest, '', [`/gallery/${slug}`]),
    ...of(anonymous, '', [`/gallery/${slug}/${event.share_token}`]),
  ]
}

async function observe(reads: ReturnType<typeof listReads>) {
  const seen: Record<string, string> = {}
  for (const { path, client } of reads) {
    const { status, bytes } = await client.get(path)
    seen[path] = `${status}${Buffer.from(bytes).includes(name) ? ' with the event' : ''}`
  }
  return seen
}

test('no route knows an event in the trash before it is restored', async () => {
  const event = await createEvent(api, { event_name: name, expiration_days: 5 })
  const [photoId = 0] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  const customer = await createCustomer(admin)
  await admin.put(assignmentPath(customer, event), {})
  const reads = listReads(event, guest, photoId)
  const before = await observe(reads)
  expect(Object.values(before).filter((outcome) => outcome.endsWith('with the event')).length).toBeGreaterThan(7)
  const record = (await api.get(`/api/v1/events/${event.id}`)).body

  expect((await trash(event)).body).toEqual({ id: event.id, trashed: true })
  const during = await observe(reads)
  expect(Object.entries(during).filter(([, outcome]) => outcome.includes('with') || outcome.startsWith('5'))).toEqual(
    [],
  )
  for (const { isOfEvent, path } of reads) {
    if (isOfEvent) expect(`${path} ${during[path]}`).toMatch(/ (404|401)$/)
  }
  const unknown = { slug: 'there-is-no-such-gallery', share_token: event.share_token }
  const [answer, unknownAnswer] = [await enter(event), await enter(unknown)]
  expect([answer.status, answer.body]).toEqual([unknownAnswer.status, unknownAnswer.body])
  for (const change of [
    () => api.upload(event.id, new Uint8Array([1]), { name: 'a.jpg' }),
    () => api.patch(`/api/v1/events/${event.id}`, { event_name: 'Renamed' }),
    () => api.delete(`/api/v1/events/${event.id}`),
    () => trash(event),
  ]) {
    expectProblem(await change(), 404, 'NOT_FOUND')
  }

  const restored = await restore(event)
  expect(restored.status).toBe(200)
  // Views are counted a moment after their response.
  const { updated_at, total_views, total_downloads } = record
  expect({ ...restored.body, updated_at, total_views, total_downloads }).toEqual(record)
  expect(await observe(reads)).toEqual(before)
  expect((await gallerySession(guest, event)).status).toBe(200)
  expect((await enter(event)).status).toBe(200)
  expectProblem(await restore(event), 404, 'NOT_FOUND')
})

test('a draft or an archived event comes back in its state, and its slug and category stay reserved', async () => {
  const body = { event_name: 'Reserved', event_date: '2027-06-12' }
  const [draft, archived] = [await createEvent(api, { ...body, is_draft: true }), await createEvent(api)]
  const category = (await admin.post('/api/admin/categories', { name: 'Reserved', is_global: true })).body.id
  await admin.patch(`/api/admin/events/${draft.id}`, { upload_category_id: category })
  await admin.post(`/api/admin/events/${archived.id}/archive`, {})
  for (const event of [draft, archived]) expect((await trash(event)).status).toBe(200)
  expect((await createEvent(api, body)).slug).toBe(`${draft.slug}-1`)
  expectProblem(await admin.delete(`/api/admin/categories/${category}`), 409, 'CATEGORY_IN_USE')
  for (const event of [draft, archived]) expect((await restore(event)).status).toBe(200)
  const { is_draft, upload_category_id } = (await api.get(`/api/v1/events/${draft.id}`)).body
  expect([is_draft, upload_category_id]).toEqual([true, category])
  expect((await api.get(`/api/v1/events/${archived.id}`)).body.is_archived).toBe(true)
})

test('each account sees only events in the trash that it owns', async () => {
  const { admin: mine } = await createAccount(service, 'admin')
  const { admin: other } = await createAccount(service, 'admin')
  const { body: event } = await mine.post('/api/admin/events', {
    event_type: 'other',
    event_name: 'Mine',
    require_password: false,
  })
  await mine.post(`/api/admin/events/${event.id}/trash`, {})
  expect((await listTrash(mine)).map(({ id }: TestEvent) => id)).toEqual([event.id])
  expect(await listTrash(other)).toEqual([])
  expectProblem(await other.post(`/api/admin/trashed-events/${event.id}/restore`, {}), 403, 'FORBIDDEN')
  expect((await other.delete('/api/admin/trashed-events')).body).toEqual({ deleted: 0 })
  expect((await mine.delete('/api/admin/trashed-events')).body).toEqual({ deleted: 1 })
  expect(await listTrash(mine)).toEqual([])
})

test('an event is deleted for good on request and after 30 days, with its files', async () => {
  const filesOf = async ({ id }: TestEvent) =>
    (await listStoredFiles(service)).filter((file) => file.includes(`events/${id}/`))
  const [requested, due, recent] = [await createEvent(api), await createEvent(api), await createEvent(api)]
  for (const event of [requested, due, recent]) {
    const [photoId] = await uploadPhotos(api, event.id, 2)
    await admin.post(`/api/admin/photos/${event.id}/trash`, { photoIds: [photoId] })
    await trash(event)
    expect(await filesOf(event)).not.toEqual([])
  }
  const listed = (await listTrash()).find(({ id }: TestEvent) => id === recent.id)
  expect(Date.parse(listed.deletes_at) - Date.parse(listed.trashed_at)).toBe(days(30))
  expect(listed).toMatchObject({ photo_count: 1, video_count: 0 })
  expect((await admin.delete(`/api/admin/trashed-events/${requested.id}`)).body).toEqual({
    id: requested.id,
    deleted: true,
  })
  await changeDatabase(service, (stored) =>
    stored.prepare('update events set trashed_at = ? where id = ?').run(Date.now() - days(30), due.id),
  )
  await changeDatabase(service, (stored) => {
    for (const table of ['photos', 'trashed_photos'])
      stored.prepare(`update ${table} set media_type = 'video' where event_id = ?`).run(recent.id)
  })
  await withAppContext(service, purgeTrash)
  expect([await filesOf(requested), await filesOf(due)]).toEqual([[], []])
  expect(await listTrash()).toMatchObject([{ id: recent.id, photo_count: 1, video_count: 1 }])
  await restore(recent)
  const photosInTrash = (await admin.get(`/api/admin/photos/${recent.id}/trash`)).body
  expect(photosInTrash).toMatchObject({ video_count: 1, pagination: { total: 1 } })
})

test('an interrupted deletion is completed, and the event is unknown and cannot be restored', async () => {
  const event = await createEvent(api)
  await trash(event)
  await changeDatabase(service, (stored) =>
    stored.prepare('update events set trashed_at = 0 where id = ?').run(event.id),
  )
  expect((await listTrash()).map(({ id }: TestEvent) => id)).not.toContain(event.id)
  expectProblem(await restore(event), 404, 'NOT_FOUND')
  expectProblem(await admin.get(`/api/admin/events/${event.id}`), 404, 'NOT_FOUND')
  await withAppContext(service, purgeTrash)
  const left = readDatabase(service, (stored) => stored.prepare('select id from events where id = ?').all(event.id))
  expect(left).toEqual([])
})
