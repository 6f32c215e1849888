import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { changeDatabase, storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { api, admin } = service
const other = await createEvent(api)
const [foreignId = 0] = await uploadPhotos(api, other.id, 1)
let event: TestEvent
let ids: [number, number, number]
beforeEach(async () => {
  event = await createEvent(api)
  ids = (await uploadPhotos(api, event.id, 3)) as typeof ids
})

const bulk = (operation: 'delete' | 'update', body: unknown) =>
  admin.post(`/api/admin/photos/${event.id}/photos/bulk-${operation}`, body)
const update = (updates: unknown, photoIds: unknown = ids) => bulk('update', { photoIds, updates })
const photoPath = (id: number) => `/api/admin/photos/${event.id}/photo/${id}`
const getPhoto = async (id: number, { id: eventId } = event) =>
  (await admin.get(`/api/admin/photos/${eventId}/photo/${id}`)).body
const manyIds = Array.from({ length: 10_001 }, (_, index) => index + 1)
const invalidIds: unknown[] = [undefined, 1, ['1'], [0], manyIds]

test('a deleted photo is gone from every route and from the totals, and its id is never used again', async () => {
  const [first, second] = ids
  const guest = await enterAsGuest(service, event)
  const routes = ['photo', 'thumbnail', 'download'].map((route) => `/api/gallery/${event.slug}/${route}/${first}`)
  for (const route of [...routes, ...routes]) expect((await guest.get(route)).status).toBe(200)
  const path = `/api/admin/photos/${event.id}/photos/${first}`
  expect((await admin.delete(path)).status).toBe(200)
  for (const route of routes) expectProblem(await guest.get(route), 404, 'NOT_FOUND')
  expectProblem(await admin.get(photoPath(first)), 404, 'NOT_FOUND')
  expectProblem(await admin.delete(path), 404, 'NOT_FOUND')

  const { photos, pagination } = (await api.get(`/api/v1/events/${event.id}/photos`)).body
  expect([photos[0].id, pagination.total]).toEqual([second, 2])
  const total_size = photos[0].size_bytes + photos[1].size_bytes
  expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject({ photo_count: 2, total_size })
  expect((await guest.get(`/api/gallery/${event.slug}/photos`)).body.pagination.total).toBe(2)
  expect((await bulk('delete', { photoIds: [ids[2]] })).body).toEqual({ deleted: 1, ignored: [] })
  expect((await uploadPhotos(api, event.id, 1))[0]).toBeGreaterThan(ids[2])
})

test('in an archived event nothing is changed: 409 EVENT_ARCHIVED', async () => {
  await changeDatabase(service, (stored) =>
    stored.prepare('update events set is_archived = 1 where id = ?').run(event.id),
  )
  const before = await storedState(service)
  const path = `/api/admin/photos/${event.id}/photos/${ids[0]}`
  for (const answer of [
    await admin.delete(path),
    await admin.patch(path, { visibility: 'hidden' }),
    await bulk('delete', { photoIds: ids }),
    await update({ visibility: 'hidden' }),
  ]) {
    expectProblem(answer, 409, 'EVENT_ARCHIVED')
  }
  expect(await storedState(service)).toEqual(before)
})

describe('POST photos/bulk-delete', () => {
  test('deletes photos with files and rows; other ids are ignored and returned', { tags: 'storage' }, async () => {
    const guest = await enterAsGuest(service, event)
    const names = (await Promise.all([ids[0], ids[2]].map((id) => getPhoto(id)))).map(
      ({ thumbnail_path }) => thumbnail_path,
    )
    const { status, body } = await bulk('delete', { photoIds: [ids[0], foreignId, 999_999_999, ids[2], ids[0]] })
    expect({ status, body }).toEqual({ status: 200, body: { deleted: 2, ignored: [foreignId, 999_999_999] } })
    for (const id of [ids[0], ids[2]]) {
      expectProblem(await admin.get(photoPath(id)), 404, 'NOT_FOUND')
      expectProblem(await guest.get(`/api/gallery/${event.slug}/photo/${id}`), 404, 'NOT_FOUND')
    }
    expect((await getPhoto(foreignId, other)).id).toBe(foreignId)
    const remaining = await getPhoto(ids[1])
    const totals = { photo_count: 1, total_size: remaining.size_bytes }
    expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject(totals)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).body.pagination.total).toBe(1)
    const files = await listStoredFiles(service)
    expect(files.filter((file) => names.some((name) => file.endsWith(name)))).toEqual([])
    expect(files.filter((file) => file.endsWith(remaining.thumbnail_path))).toHaveLength(1)

    const before = await storedState(service)
    expect((await bulk('delete', { photoIds: [] })).body).toEqual({ deleted: 0, ignored: [] })
    for (const photoIds of invalidIds) expectProblem(await bulk('delete', { photoIds }), 400, 'VALIDATION_ERROR')
    expect(await storedState(service)).toEqual(before)
  })

  test('does not block other writes while it deletes 3,000 photos', async () => {
    event = await createEvent(api)
    const rows = Array.from({ length: 3_000 }, (_, uploadedAt) => ({ uploadedAt, visibility: 'visible' as const }))
    const photoIds = await addPhotoRows(service, event.id, rows)
    let isDone = false
    const deleting = bulk('delete', { photoIds }).then((answer) => {
      isDone = true
      return answer
    })
    for (const visibility of ['hidden', 'visible']) {
      const { status } = await admin.patch(`/api/admin/photos/${other.id}/photos/${foreignId}`, { visibility })
      expect({ status, isDone }).toEqual({ status: 200, isDone: false })
    }
    expect((await deleting).body).toEqual({ deleted: 3_000, ignored: [] })
    expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject({ photo_count: 0, total_size: 0 })
    expect((await admin.get(`/api/admin/photos/${event.id}/photos`)).body.photos).toEqual([])
  })
})

describe('POST photos/bulk-update', () => {
  test('hides and shows photos, also for guests; other ids are ignored', async () => {
    const guest = await enterAsGuest(service, event)
    const countVisible = async () => (await guest.get(`/api/gallery/${event.slug}/photos`)).body.pagination.total
    await update({ visibility: 'hidden' }, [ids[1]])
    expect(await countVisible()).toBe(2)
    expect((await update({ visibility: 'hidden' }, [...ids, foreignId])).body).toEqual({
      updated: 3,
      ignored: [foreignId],
    })
    expect(await countVisible()).toBe(0)
    expect((await getPhoto(foreignId, other)).visibility).toBe('visible')
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photo/${ids[0]}`), 404, 'NOT_FOUND')
    await update({ visibility: 'visible' }, [ids[0], ids[0], ids[2]])
    expect(await countVisible()).toBe(2)
  })

  test('sets the category by hand, which clears the automatic flag; another visibility is ignored', async () => {
    await changeDatabase(service, (stored) =>
      stored.prepare('update photos set auto_categorized = 1 where event_id in (?, ?)').run(event.id, other.id),
    )
    const [party] = (await admin.get('/api/admin/categories/global')).body
    for (const [category_id, stored] of [
      [party.id, { category_id: party.id, type: null }],
      ['collage', { category_id: null, type: 'collage' }],
      [null, { category_id: null, type: null }],
    ]) {
      expect((await update({ category_id })).body).toEqual({ updated: 3, ignored: [] })
      for (const id of ids) expect(await getPhoto(id)).toMatchObject({ ...stored, auto_categorized: false })
    }
    expect(await getPhoto(foreignId, other)).toMatchObject({ auto_categorized: true })
    for (const visibility of ['public', '', null, 1, true, ['hidden'], {}]) {
      expect((await update({ visibility }, [ids[0], foreignId])).body).toEqual({ updated: 0, ignored: [foreignId] })
      expect((await update({ visibility, category_id: 'individual' })).body).toEqual({ updated: 3, ignored: [] })
      expect(await getPhoto(ids[0])).toMatchObject({ visibility: 'visible', type: 'individual' })
    }
  })

  test('rejects unknown keys, categories of other events and invalid ids, and changes nothing', async () => {
    const before = await storedState(service)
    const theirs = await admin.post('/api/admin/categories', { name: 'Dance', event_id: other.id })
    expectInvalidField(await update({ rating: 5 }), 'updates.rating')
    expectProblem(await update({ category_id: 'uncategorized' }), 400, 'VALIDATION_ERROR')
    expectProblem(await update({ category_id: theirs.body.id, visibility: 'hidden' }), 400, 'INVALID_CATEGORY')
    expectProblem(await bulk('update', { photoIds: ids }), 400, 'VALIDATION_ERROR')
    for (const photoIds of invalidIds) {
      expectProblem(await bulk('update', { photoIds, updates: { visibility: 'hidden' } }), 400, 'VALIDATION_ERROR')
    }
    expect((await update({})).body).toEqual({ updated: 0, ignored: [] })
    expect((await update({ visibility: 'hidden' }, [])).body).toEqual({ updated: 0, ignored: [] })
    expect(await storedState(service)).toEqual(before)
  })
})
