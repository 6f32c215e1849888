import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { changeDatabase, storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { createTestWebhook, listAnnounced } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { api, admin } = service
await createTestWebhook(service)
let event: TestEvent
let other: TestEvent
let ids: [number, number, number]
let foreignId: number
beforeEach(async () => {
  event = await createEvent(api)
  other = await createEvent(api)
  ids = (await uploadPhotos(api, event.id, 3)) as typeof ids
  foreignId = (await uploadPhotos(api, other.id, 1))[0] as number
})

const bulk = (operation: 'delete' | 'update', body: unknown) =>
  admin.post(`/api/admin/photos/${event.id}/photos/bulk-${operation}`, body)
const getPhoto = async (id: number, { id: eventId } = event) =>
  (await admin.get(`/api/admin/photos/${eventId}/photo/${id}`)).body
const listDeletedIds = (): number[] => listAnnounced(service, 'photo.deleted').map(({ data }) => data.photo.id)
const archiveEvent = () =>
  changeDatabase(service, (stored) => stored.prepare('update events set is_archived = 1 where id = ?').run(event.id))
const invalidBodies: Array<[string, unknown]> = [
  ['no list', {}],
  ['a single id', { photoIds: 1 }],
  ['ids as text', { photoIds: ['1'] }],
  ['an id of 0', { photoIds: [0] }],
  ['more than 10,000', { photoIds: Array.from({ length: 10_001 }, (_, index) => index + 1) }],
]

describe('POST photos/bulk-delete', () => {
  test('deletes photos with files and rows; ids outside the event are ignored and returned', async () => {
    const guest = await enterAsGuest(service, event)
    const names = (await Promise.all([ids[0], ids[2]].map((id) => getPhoto(id)))).map(
      ({ thumbnail_path }) => thumbnail_path,
    )
    const { status, body } = await bulk('delete', { photoIds: [ids[0], foreignId, 999_999_999, ids[2]] })
    expect({ status, body }).toEqual({ status: 200, body: { deleted: 2, ignored: [foreignId, 999_999_999] } })

    for (const id of [ids[0], ids[2]]) {
      expectProblem(await admin.get(`/api/admin/photos/${event.id}/photo/${id}`), 404, 'NOT_FOUND')
      expectProblem(await guest.get(`/api/gallery/${event.slug}/photo/${id}`), 404, 'NOT_FOUND')
    }
    expect((await getPhoto(foreignId, other)).id).toBe(foreignId)
    const remainingPhoto = await getPhoto(ids[1])
    expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject({
      photo_count: 1,
      total_size: remainingPhoto.size_bytes,
    })
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).body.pagination.total).toBe(1)
    const files = await listStoredFiles(service)
    expect(files.filter((file) => names.some((name) => file.endsWith(name)))).toEqual([])
    expect(files.filter((file) => file.endsWith(remainingPhoto.thumbnail_path))).toHaveLength(1)
  })

  test('publishes photo.deleted once per photo, even if its id is repeated', async () => {
    const before = listDeletedIds().length
    expect((await bulk('delete', { photoIds: [ids[1], ids[0], ids[1], foreignId] })).body).toMatchObject({ deleted: 2 })
    expect((await bulk('delete', { photoIds: [ids[1], ids[0]] })).body).toEqual({
      deleted: 0,
      ignored: [ids[1], ids[0]],
    })
    expect(listDeletedIds().slice(before).toSorted()).toEqual([ids[0], ids[1]].toSorted())
  })

  test('without ids deletes nothing', async () => {
    const before = await storedState(service)
    expect((await bulk('delete', { photoIds: [] })).body).toEqual({ deleted: 0, ignored: [] })
    expect(await storedState(service)).toEqual(before)
  })

  test.each(invalidBodies)('rejects %s and deletes nothing', async (_what, body) => {
    const before = await storedState(service)
    expectProblem(await bulk('delete', body), 400, 'VALIDATION_ERROR')
    expect(await storedState(service)).toEqual(before)
  })

  test('returns 409 EVENT_ARCHIVED in an archived event and deletes nothing', async () => {
    await archiveEvent()
    const before = await storedState(service)
    expectProblem(await bulk('delete', { photoIds: ids }), 409, 'EVENT_ARCHIVED')
    expect(await storedState(service)).toEqual(before)
  })

  test('does not block other writes while it deletes 3,000 photos', async () => {
    event = await createEvent(api)
    const manyIds = await addPhotoRows(
      service,
      event.id,
      Array.from({ length: 3_000 }, (_, uploadedAt) => ({ uploadedAt, visibility: 'visible' as const })),
    )
    let isDone = false
    const deleting = bulk('delete', { photoIds: manyIds }).then((answer) => {
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
  test('hides and shows photos, also for guests; ids outside the event are ignored and returned', async () => {
    const guest = await enterAsGuest(service, event)
    const countVisible = async () => (await guest.get(`/api/gallery/${event.slug}/photos`)).body.pagination.total
    const hide = { photoIds: [...ids, foreignId], updates: { visibility: 'hidden' } }
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[1]}`, { visibility: 'hidden' })
    expect(await countVisible()).toBe(2)
    expect((await bulk('update', hide)).body).toEqual({ updated: 3, ignored: [foreignId] })
    expect(await countVisible()).toBe(0)
    expect((await getPhoto(foreignId, other)).visibility).toBe('visible')
    expectProblem(await guest.get(`/api/gallery/${event.slug}/photo/${ids[0]}`), 404, 'NOT_FOUND')
    await bulk('update', { photoIds: [ids[0], ids[0], ids[2]], updates: { visibility: 'visible' } })
    expect(await countVisible()).toBe(2)
  })

  test('sets the category manually, which clears the automatic-categorization flag', async () => {
    await changeDatabase(service, (stored) => stored.exec('update photos set auto_categorized = 1'))
    const [party] = (await admin.get('/api/admin/categories/global')).body
    for (const [category_id, stored] of [
      [party.id, { category_id: party.id, type: null }],
      ['collage', { category_id: null, type: 'collage' }],
      [null, { category_id: null, type: null }],
    ]) {
      expect((await bulk('update', { photoIds: ids, updates: { category_id } })).status).toBe(200)
      for (const id of ids) expect(await getPhoto(id)).toMatchObject({ ...stored, auto_categorized: false })
    }
    expect(await getPhoto(foreignId, other)).toMatchObject({ auto_categorized: true })
  })

  test.each(['public', '', null, 1, true, ['hidden'], {}])(
    'ignores the visibility %j, alone and with valid keys',
    async (visibility) => {
      expect((await bulk('update', { photoIds: [ids[0], foreignId], updates: { visibility } })).body).toEqual({
        updated: 0,
        ignored: [foreignId],
      })
      const mixedUpdate = { photoIds: ids, updates: { visibility, category_id: 'individual' } }
      expect((await bulk('update', mixedUpdate)).body).toEqual({ updated: 3, ignored: [] })
      for (const id of ids) expect(await getPhoto(id)).toMatchObject({ visibility: 'visible', type: 'individual' })
    },
  )

  test('without data changes nothing', async () => {
    const before = await storedState(service)
    expect((await bulk('update', { photoIds: ids, updates: {} })).body).toEqual({ updated: 0, ignored: [] })
    expect((await bulk('update', { photoIds: [], updates: { visibility: 'hidden' } })).body).toEqual({
      updated: 0,
      ignored: [],
    })
    expect(await storedState(service)).toEqual(before)
  })

  test('rejects an unknown key, an unknown category and one of another event', async () => {
    const before = await storedState(service)
    const own = await admin.post('/api/admin/categories', { name: 'Dance', event_id: other.id })
    const update = (updates: unknown) => bulk('update', { photoIds: ids, updates })
    expectInvalidField(await update({ rating: 5 }), 'updates.rating')
    expectProblem(await update({ category_id: 'uncategorized' }), 400, 'VALIDATION_ERROR')
    expectProblem(await update({ category_id: own.body.id, visibility: 'hidden' }), 400, 'INVALID_CATEGORY')
    expectProblem(await bulk('update', { photoIds: ids }), 400, 'VALIDATION_ERROR')
    expect(await storedState(service)).toEqual(before)
  })

  test.each(invalidBodies)('rejects %s and changes nothing', async (_what, body) => {
    const before = await storedState(service)
    const withUpdates = { ...(body as object), updates: { visibility: 'hidden' } }
    expectProblem(await bulk('update', withUpdates), 400, 'VALIDATION_ERROR')
    expect(await storedState(service)).toEqual(before)
  })

  test('returns 409 EVENT_ARCHIVED in an archived event and changes nothing', async () => {
    await archiveEvent()
    const before = await storedState(service)
    expectProblem(await bulk('update', { photoIds: ids, updates: { visibility: 'hidden' } }), 409, 'EVENT_ARCHIVED')
    expect(await storedState(service)).toEqual(before)
  })
})
