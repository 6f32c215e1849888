import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
let event: TestEvent
let ids: number[]
beforeAll(async () => {
  event = await createEvent(api)
  ids = await uploadPhotos(api, event.id, 5)
})

type Photo = { id: number; visibility: string; filename: string }
const list = async (query = '') => (await api.get(`/api/v1/events/${event.id}/photos${query}`)).body
const listIds = ({ photos }: { photos: Photo[] }) => photos.map(({ id }) => id)

describe('GET /api/v1/events/{id}/photos', () => {
  test('returns photos with all their keys, and pagination', async () => {
    const body = await list()
    expect(Object.keys(body).sort()).toEqual(['pagination', 'photos'])
    expect(body.pagination).toEqual({ page: 1, next: null, limit: 50, total: 5, filtered: 5, pages: 1 })
    const [photo] = body.photos
    const keys = `id filename original_filename source_filename path thumbnail_path size_bytes category_id width height
      visibility average_rating feedback_count color_labels dominant_color_label my_rating my_color_label color_label
      rating type category like_count favorite_count comment_count media_type mime_type duration captured_at uploaded_at
      uploaded_by auto_categorized processing_status processing_error content_hash thumbhash`
    for (const key of keys.split(/\s+/)) expect(photo).toHaveProperty(key)
    const forOperators = { awaits_review: false, guest_name: null }
    const { body: single } = await admin.get(`/api/admin/photos/${event.id}/photo/${photo.id}`)
    expect(single).toEqual({ ...photo, ...forOperators })
    const { id } = await createEvent(api)
    expect((await api.get(`/api/v1/events/${id}/photos`)).body).toEqual({
      photos: [],
      pagination: { page: 1, next: null, limit: 50, total: 0, filtered: 0, pages: 0 },
    })
  })

  test('orders by uploaded_at, then id, ascending', async () => {
    expect(listIds(await list())).toEqual(ids)
    await changeDatabase(service, (stored) =>
      stored.prepare('update photos set uploaded_at = 1 where id in (?, ?)').run(ids[4], ids[2]),
    )
    ids = [ids[2], ids[4], ids[0], ids[1], ids[3]] as number[]
    expect(listIds(await list())).toEqual(ids)
  })

  test('is limited to events that the owner may see', async () => {
    const stranger = await createAccount(service, 'admin')
    expectProblem(await stranger.api.get(`/api/v1/events/${event.id}/photos`), 403, 'FORBIDDEN')
    expectProblem(await api.get('/api/v1/events/999999/photos'), 404, 'NOT_FOUND')
  })
})

describe('PATCH /api/admin/photos/{event_id}/photos/{photo_id}', () => {
  const path = () => `/api/admin/photos/${event.id}/photos/${ids[0]}`
  const loadPhoto = async () => (await admin.get(`/api/admin/photos/${event.id}/photo/${ids[0]}`)).body

  test('hides and shows a photo; any other visibility is ignored, alone and with valid keys', async () => {
    expect((await admin.patch(path(), { visibility: 'hidden' })).body.visibility).toBe('hidden')
    expect((await list()).photos[0]).toMatchObject({ id: ids[0], visibility: 'hidden' })
    expect((await admin.patch(path(), { visibility: 'visible' })).body.visibility).toBe('visible')
    for (const visibility of [undefined, 'secret', '', 'HIDDEN', null, 1, true, [], {}]) {
      const before = await loadPhoto()
      expect((await admin.patch(path(), { visibility })).status).toBe(200)
      expect(await loadPhoto()).toEqual(before)
      expect((await admin.patch(path(), { visibility, category_id: 'collage' })).status).toBe(200)
      expect(await loadPhoto()).toMatchObject({ visibility: 'visible', type: 'collage', category_id: null })
      await admin.patch(path(), { category_id: null })
    }
  })

  test('takes a category number, individual or collage as type, null for none', { tags: 'database' }, async () => {
    const [ceremony] = (await admin.get('/api/admin/categories/global')).body
    const setCategory = async (category_id: unknown) => (await admin.patch(path(), { category_id })).body
    expect(await setCategory(ceremony.id)).toMatchObject({ category_id: ceremony.id, category: 'Ceremony', type: null })
    expect(await setCategory('individual')).toMatchObject({ category_id: null, category: null, type: 'individual' })
    expect(await setCategory(null)).toMatchObject({ category_id: null, type: null })
    for (const wrong of ['uncategorized', 'party', '1', 1.5, true]) {
      expectInvalidField(await admin.patch(path(), { category_id: wrong }), 'category_id')
    }
    const { body: theirs } = await admin.post('/api/admin/categories', {
      name: 'Theirs',
      event_id: (await createEvent(api)).id,
    })
    for (const id of [theirs.id, 999_999]) {
      expectProblem(await admin.patch(path(), { category_id: id }), 400, 'INVALID_CATEGORY')
    }
  })

  test('setting the category clears the automatic flag', async () => {
    await changeDatabase(service, (stored) =>
      stored.prepare('update photos set auto_categorized = 1 where id = ?').run(ids[0]),
    )
    expect((await admin.patch(path(), { visibility: 'visible' })).body.auto_categorized).toBe(true)
    expect((await admin.patch(path(), { category_id: null })).body.auto_categorized).toBe(false)
  })

  test('of a photo of another event is 404', async () => {
    const other = await createEvent(api)
    const wrong = `/api/admin/photos/${other.id}/photos/${ids[0]}`
    expectProblem(await admin.patch(wrong, { visibility: 'hidden' }), 404, 'NOT_FOUND')
    expectProblem(await admin.delete(wrong), 404, 'NOT_FOUND')
    expectProblem(await admin.get(`/api/admin/photos/${other.id}/photo/${ids[0]}`), 404, 'NOT_FOUND')
    expect((await loadPhoto()).visibility).toBe('visible')
  })
})

describe('cursors, search and updated_since', () => {
  const read = async (eventId: number, query: string) =>
    (await api.get(`/api/v1/events/${eventId}/photos?${query}`)).body

  test('a cursor repeats and omits nothing while photos come and go', { tags: 'database' }, async () => {
    const { id } = await createEvent(api)
    const old = await uploadPhotos(api, id, 4)
    const first = await read(id, 'limit=2')
    await api.delete(`/api/v1/events/${id}/photos/${old[0]}`)
    const [added] = await uploadPhotos(api, id, 1)
    const second = await read(id, `limit=2&after=${first.pagination.next}`)
    const third = await read(id, `limit=2&after=${second.pagination.next}`)
    expect([first, second, third].flatMap(listIds)).toEqual([...old, added])
    expect(third.pagination).toEqual({ page: null, next: null, limit: 2, total: 4, filtered: 4, pages: 2 })
    for (const query of ['after=x', `after=${first.pagination.next}&page=2`, `after=${'a'.repeat(4001)}`]) {
      expectInvalidField(await api.get(`/api/v1/events/${id}/photos?${query}`), 'after')
    }
  })

  test('a search finds parts of the name, also with a filter by marks', { tags: 'database' }, async () => {
    const { id } = await createEvent(api)
    const [first, second] = await uploadPhotos(api, id, 2)
    const { original_filename: name } = (await read(id, 'limit=1')).photos[0]
    expect(listIds(await read(id, `search=${name.toUpperCase()}`))).toEqual([first])
    expect((await read(id, 'search=nothing')).pagination).toMatchObject({ total: 2, filtered: 0 })
    await api.put(`/api/v1/events/${id}/photos/${second}/mark`, { rating: 3 })
    expect(listIds(await read(id, 'search=.jpg&my_min_rating=3'))).toEqual([second])
    expectInvalidField(await api.get(`/api/v1/events/${id}/photos?search=${'a'.repeat(201)}`), 'search')
  })

  test('updated_since lists what was added or changed since', { tags: 'database' }, async () => {
    const { id } = await createEvent(api)
    const [first, second] = await uploadPhotos(api, id, 2)
    await changeDatabase(service, (stored) =>
      stored.prepare('update photos set updated_at = 1000 where event_id = ?').run(id),
    )
    expect(listIds(await read(id, 'updated_since=1970-01-01T00:00:01Z'))).toEqual([first, second])
    expect(listIds(await read(id, 'updated_since=1970-01-02'))).toEqual([])
    await api.patch(`/api/v1/events/${id}/photos/${second}`, { visibility: 'hidden' })
    const changed = await read(id, 'updated_since=1970-01-02')
    expect(listIds(changed)).toEqual([second])
    expect(changed.pagination).toMatchObject({ total: 2, filtered: 1 })
    expectInvalidField(await api.get(`/api/v1/events/${id}/photos?updated_since=1`), 'updated_since')
  })
})
