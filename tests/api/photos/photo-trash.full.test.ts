import { describe, expect, test } from 'vitest'
import { purgeTrash } from '../../../server/photos/trash/purge-trash.ts'
import { days } from '../../../server/platform/time/clock.ts'
import { adminRequests } from '../../support/access/admin-requests.ts'
import { galleryTable } from '../../support/access/gallery-table.ts'
import { apiTokenRoutes } from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api, admin } = service

const trashPath = ({ id }: Pick<TestEvent, 'id'>) => `/api/admin/photos/${id}/trash`
const trash = (event: TestEvent, photoIds: number[]) => admin.post(trashPath(event), { photoIds })
const restore = (event: TestEvent, photoIds: number[]) => admin.post(`${trashPath(event)}/bulk-restore`, { photoIds })
const listTrash = async (event: TestEvent) => (await admin.get(trashPath(event))).body

/** Occurs in the file name and in all texts about the photo. */
const mark = 'marked-for-the-trash'

async function createMarkedPhoto() {
  const event = await createEvent(api, { event_name: 'Trash', allow_notes: true })
  const category = (await admin.post('/api/admin/categories', { name: 'Portraits', event_id: event.id })).body.id
  const [kept = 0] = await uploadPhotos(api, event.id, 1)
  const { body } = await api.upload(event.id, await jpeg({ seed: 50 }), { name: `${mark}.jpg` })
  const id: number = body.id
  const guest = await enterAsGuest(service, event)
  const feedback = (photo: number) => `/api/gallery/${event.slug}/photos/${photo}/feedback`
  await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana' })
  for (const given of [
    { feedback_type: 'comment', comment_text: `Lovely ${mark}` },
    { feedback_type: 'rating', rating: 5 },
    { feedback_type: 'color_label', color_label: 'green' },
    { feedback_type: 'favorite' },
  ]) {
    expect((await guest.post(feedback(id), given)).status).toBe(200)
  }
  await guest.post(`/api/gallery/${event.slug}/notes`, { text: 'Please retouch', photo_id: id })
  await admin.put(`/api/admin/photos/${event.id}/photos/${id}/mark`, { rating: 3, color_label: 'red' })
  await admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { category_id: category })
  await admin.put(`/api/admin/photos/${event.id}/order`, { photoIds: [id], place: 'before', photo_id: kept })
  return { event, kept, id, guest, category }
}

type Read = { name: string; send: () => Promise<{ status: number; bytes: Uint8Array; body: unknown }> }

/** Every route that reads something of the event, for each family of callers. */
function listReads({ event, id, guest }: { event: TestEvent; id: number; guest: TestClient }): Read[] {
  // No picks are submitted. Receipts name the files of deleted photos, so they have their own tests.
  const ids = { event_id: event.id, photo_id: id, slug: event.slug, selection_id: 999_999 }
  const fill = (pattern: string) =>
    Object.entries(ids).reduce((path, [name, value]) => path.replace(`:${name}`, String(value)), pattern)
  const adminReads = Object.entries(adminRequests)
    .filter(([route]) => route.startsWith('GET ') && /:(event_id|photo_id)/.test(route))
    .filter(([route]) => !/\/live$|\/trash|export_id|mail_id/.test(route))
    .concat(
      ['events', 'dashboard', 'activity', 'customers', 'mail/outbox'].map((path) => [`GET /api/admin/${path}`, {}]),
    )
    .map(([route, { query = '' }]) => ({
      name: route,
      send: () => admin.get(fill(route.slice(4)) + query),
    }))
  const publicReads = apiTokenRoutes
    .filter(({ route }) => route.startsWith('GET '))
    .map(({ route }) => ({ name: route, send: () => api.get(fill(route.slice(4))) }))
  const galleryReads = galleryTable
    .filter(({ route }) => route.startsWith('GET '))
    .map(({ route, send }) => ({ name: `guest ${route}`, send: () => send(guest, { slug: event.slug, photoId: id }) }))
  const pages = ['', '?photo=', '/photos/'].map((path) => ({
    name: `page ${path}`,
    send: () => guest.get(`/gallery/${event.slug}${path}${path === '' ? '' : id}`),
  }))
  return [...adminReads, ...publicReads, ...galleryReads, ...pages]
}

/** Returns the outcome of each read: its status, and whether the response has the mark. */
async function observe(reads: Read[]): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  for (const { name, send } of reads) {
    const { status, bytes } = await send()
    seen[name] = `${status}${Buffer.from(bytes).includes(mark) ? ' with the photo' : ''}`
  }
  return seen
}

type Counters = Record<string, number>

/** The stored counters of an event, and the same counted from its rows. */
const countTwice = (eventId: number) =>
  readDatabase(service, (stored) => {
    const one = (text: string) => stored.prepare(text).get(eventId) as Counters
    const toNumbers = (row: Counters) => Object.fromEntries(Object.entries(row).map(([key, sum]) => [key, Number(sum)]))
    const kept = {
      ...one('select photo_count, visible_count, total_size from event_photo_totals where event_id = ?'),
      ...one(`select coalesce(sum(rating_sum), 0) as rating_sum, coalesce(sum(rating_count), 0) as rating_count,
        coalesce(sum(favorite_count), 0) as favorite_count, coalesce(sum(comment_count), 0) as comment_count,
        coalesce(sum(green), 0) as green from photo_marks where event_id = ?`),
    }
    const counted = {
      ...one(`select count(*) as photo_count, sum(case when visibility = 'visible' then 1 else 0 end) as visible_count,
        sum(size_bytes) as total_size from photos where event_id = ?`),
      ...one(`select coalesce(sum(rating), 0) as rating_sum, count(rating) as rating_count,
        count(case when kind = 'favorite' then 1 end) as favorite_count,
        count(case when kind = 'comment' then 1 end) as comment_count,
        count(case when color_label = 'green' then 1 end) as green from feedback
        where event_id = ? and is_visible = 1`),
    }
    return { stored: toNumbers(kept), counted: toNumbers(counted) }
  })

test('no route shows a photo in the trash, and all show it once restored', async () => {
  const made = await createMarkedPhoto()
  const { event, id } = made
  const reads = listReads(made)
  const grid = async () =>
    (await admin.get(`/api/admin/photos/${event.id}/photos?sort=manual`)).body.photos.map((photo: object) => ({
      ...photo,
      updated_at: null,
    }))
  const before = await observe(reads)
  const records = await grid()
  expect(Object.values(before).filter((outcome) => outcome.endsWith('with the photo')).length).toBeGreaterThan(10)
  const counters = countTwice(event.id)
  expect(counters.stored).toEqual(counters.counted)

  expect((await trash(event, [id, id, 999_999])).body).toEqual({ trashed: 1, ignored: [999_999] })
  const during = await observe(reads)
  expect(Object.entries(during).filter(([, outcome]) => outcome.includes('photo') || outcome.startsWith('5'))).toEqual(
    [],
  )
  for (const [name, outcome] of Object.entries(during)) {
    if (/photo_id/.test(name)) expect(`${name} ${outcome}`).toBe(`${name} 404`)
  }
  const without = countTwice(event.id)
  expect(without.stored).toEqual(without.counted)
  expect(without.stored).toMatchObject({ photo_count: 1, favorite_count: 0, rating_sum: 0 })

  expect((await restore(event, [id, id, 999_999])).body).toEqual({ restored: 1, ignored: [999_999] })
  expect(await observe(reads)).toEqual(before)
  expect(await grid()).toEqual(records)
  expect(countTwice(event.id)).toEqual(counters)
  const notes = (await admin.get(`/api/admin/feedback/events/${event.id}/notes`)).body.notes
  expect(notes).toContainEqual(expect.objectContaining({ photo_id: id, original_filename: `${mark}.jpg` }))
})

describe('the trash', () => {
  test('lists photos with size, time and a thumbnail, as no known content', async () => {
    const event = await createEvent(api)
    const [first = 0, second = 0] = await uploadPhotos(api, event.id, 2)
    const { content_hash } = (await api.get(`/api/v1/events/${event.id}/photos`)).body.photos[0]
    await trash(event, [first])
    await trash(event, [second])
    const list = await listTrash(event)
    expect(list.photos.map(({ id }: { id: number }) => id)).toEqual([second, first])
    expect(list.pagination.total).toBe(2)
    expect(list.total_size).toBe(list.photos[0].size_bytes + list.photos[1].size_bytes)
    const { trashed_at, deletes_at } = list.photos[0]
    expect(Date.parse(deletes_at) - Date.parse(trashed_at)).toBe(days(30))
    const thumbnail = await admin.get(`${trashPath(event)}/${first}/thumbnail`)
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expectProblem(await admin.get(`${trashPath(event)}/999999/thumbnail`), 404, 'NOT_FOUND')
    const known = await admin.post(`/api/admin/photos/${event.id}/known`, { hashes: [content_hash] })
    expect(known.body.known).toEqual({})
    const [again = 0] = await uploadPhotos(api, event.id, 1)
    expect(again).toBeGreaterThan(second)
  })

  test('gives back a photo without its category if that was deleted', async () => {
    const { event, id, category } = await createMarkedPhoto()
    await trash(event, [id])
    expect((await admin.delete(`/api/admin/categories/${category}`)).status).toBe(200)
    await restore(event, [id])
    const { photos } = (await admin.get(`/api/admin/photos/${event.id}/photos`)).body
    expect(photos.find((photo: { id: number }) => photo.id === id)).toMatchObject({ category_id: null, my_rating: 3 })
  })

  test('restores only as many photos as the photo cap allows', async () => {
    const event = await createEvent(api, { photo_cap: 2 })
    const [first = 0] = await uploadPhotos(api, event.id, 2)
    await trash(event, [first])
    await uploadPhotos(api, event.id, 1)
    expectProblem(await restore(event, [first]), 409, 'PHOTO_CAP_REACHED')
    expect((await listTrash(event)).pagination.total).toBe(1)
  })

  test('of another event and of an archived event cannot be restored', async () => {
    const event = await createEvent(api)
    const other = await createEvent(api)
    const [first = 0, second = 0] = await uploadPhotos(api, event.id, 2)
    expect((await trash(other, [first])).body).toEqual({ trashed: 0, ignored: [first] })
    await trash(event, [first])
    expect((await restore(other, [first])).body).toEqual({ restored: 0, ignored: [first] })
    await admin.post(`/api/admin/events/${event.id}/archive`, {})
    expectProblem(await restore(event, [first]), 409, 'EVENT_ARCHIVED')
    expectProblem(await trash(event, [second]), 409, 'EVENT_ARCHIVED')
    expect((await admin.delete(trashPath(event))).body).toEqual({ deleted: 1 })
  })

  test('is part of the merging and the erasure of guests', async () => {
    const { event, id, guest } = await createMarkedPhoto()
    const guestId = (await guest.get(`/api/gallery/${event.slug}/guest`)).body.guest.id
    const other = await enterAsGuest(service, event)
    const { body } = await other.post(`/api/gallery/${event.slug}/guest`, { name: 'Ben' })
    await trash(event, [id])
    const guests = `/api/admin/events/${event.id}/guests`
    await admin.post(`${guests}/merge`, { from: guestId, into: body.guest.id })
    const rows = () =>
      readDatabase(service, (stored) =>
        stored.prepare('select distinct guest_id from trashed_feedback where photo_id = ?').pluck().all(id),
      )
    expect(rows()).toEqual([body.guest.id])
    const erased = (await admin.delete(`${guests}/${body.guest.id}`)).body
    expect(erased).toMatchObject({ comments: 1, ratings: 1 })
    expect(rows()).toEqual([])
    await restore(event, [id])
    const counters = countTwice(event.id)
    expect(counters.stored).toEqual(counters.counted)
    expect(counters.stored.rating_count).toBe(0)
  })
})

test('photos are deleted for good on request and after 30 days, with their files', async () => {
  const event = await createEvent(api)
  const [first = 0, second = 0, third = 0] = await uploadPhotos(api, event.id, 3)
  await trash(event, [first, second])
  const filesOf = async () =>
    (await listStoredFiles(service)).filter((name) => name.includes(`events/${event.id}/`)).length
  const before = await filesOf()
  expect((await admin.post(`${trashPath(event)}/bulk-delete`, { photoIds: [first, third] })).body).toEqual({
    deleted: 1,
    ignored: [third],
  })
  // The thumbnail is deleted at once, the original with the next sweep.
  expect(await filesOf()).toBe(before - 1)
  await withAppContext(service, purgeTrash)
  expect((await listTrash(event)).pagination.total).toBe(1)
  const due = Date.now() - days(30)
  await changeDatabase(service, (stored) =>
    stored.prepare('update trashed_photos set trashed_at = ? where id = ?').run(due, second),
  )
  await withAppContext(service, purgeTrash)
  expect((await listTrash(event)).pagination.total).toBe(0)
  expect(await filesOf()).toBe(before - 2)
  const retired = readDatabase(service, (stored) =>
    stored.prepare('select key from retired_files where key like ?').pluck().all(`events/${event.id}/%`),
  )
  expect(retired).toHaveLength(2)
  expect((await api.get(`/api/v1/events/${event.id}/photos`)).body.pagination.total).toBe(1)
})
