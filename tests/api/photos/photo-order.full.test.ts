import { expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

async function openEvent(count: number, body: Record<string, unknown> = {}) {
  const event = await createEvent(api, body)
  const rows = Array.from({ length: count }, (_, uploadedAt) => ({ uploadedAt, visibility: 'visible' as const }))
  const ids = await addPhotoRows(service, event.id, rows)
  const listBy = async (query: string): Promise<number[]> =>
    (await admin.get(`/api/admin/photos/${event.id}/photos?sort=manual&${query}`)).body.photos.map(
      ({ id }: { id: number }) => ids.indexOf(id),
    )
  /** Photos are named by their place in upload order. */
  const move = (places: number[], place: 'before' | 'after', other: number) =>
    admin.put(`/api/admin/photos/${event.id}/order`, {
      photoIds: places.map((index) => ids[index]),
      place,
      photo_id: ids[other],
    })
  return { event, ids, listBy, move, list: () => listBy('limit=100') }
}

const listPositions = (eventId: number): Array<number | null> => {
  const rows = readDatabase(service, (stored) =>
    stored.prepare('select manual_position from photos where event_id = ? order by id').all(eventId),
  ) as Array<{ manual_position: number | null }>
  return rows.map(({ manual_position }) => manual_position)
}

test('photos are moved before and after others, and uploads come last', { tags: 'database' }, async () => {
  const { event, ids, move, list, listBy } = await openEvent(6)
  expect(await list()).toEqual([0, 1, 2, 3, 4, 5])
  expect((await move([4], 'before', 1)).body).toEqual({ moved: 1, ignored: [] })
  expect(await list()).toEqual([0, 4, 1, 2, 3, 5])
  // Only photos before the new place have a position.
  expect(listPositions(event.id).map((position) => position !== null)).toEqual([true, false, false, false, true, false])
  await move([5, 0], 'after', 2)
  expect(await list()).toEqual([4, 1, 2, 5, 0, 3])
  await move([3], 'before', 4)
  expect(await list()).toEqual([3, 4, 1, 2, 5, 0])
  await move([3, 2], 'after', 0)
  expect(await list()).toEqual([4, 1, 5, 0, 3, 2])
  expect(await listBy('order=desc')).toEqual([2, 3, 0, 5, 1, 4])
  ids.push(...(await uploadPhotos(api, event.id, 1)))
  expect(await list()).toEqual([4, 1, 5, 0, 3, 2, 6])
  await move([6], 'before', 4)
  expect(await list()).toEqual([6, 4, 1, 5, 0, 3, 2])
})

test('the order holds within a category, in pages and in the whole list', async () => {
  const { event, ids, move, listBy } = await openEvent(6)
  const [category] = (await admin.get('/api/admin/categories/global')).body
  const photoIds = [ids[1], ids[3], ids[5]]
  const updates = { category_id: category.id }
  await admin.post(`/api/admin/photos/${event.id}/photos/bulk-update`, { photoIds, updates })
  await move([5], 'before', 1)
  await move([1], 'after', 3)
  expect(await listBy(`category_id=${category.id}`)).toEqual([5, 3, 1])
  expect(await listBy('')).toEqual([0, 5, 2, 3, 1, 4])
  const first = await admin.get(`/api/admin/photos/${event.id}/photos?sort=manual&limit=4`)
  const after = encodeURIComponent(first.body.pagination.next)
  expect(await listBy(`limit=4&after=${after}`)).toEqual([1, 4])
})

test('guests see the order where the event chooses it, also a change', async () => {
  const { event, ids, move } = await openEvent(4, { default_photo_sort: 'manual' })
  const guest = await enterAsGuest(service, event)
  const read = async (path: string) => (await guest.get(`/api/gallery/${event.slug}/${path}`)).body.photos
  const seen = async () => (await read('photos')).map(({ id }: { id: number }) => ids.indexOf(id))
  const outline = async () => (await read('outline')).map(([id]: [number]) => ids.indexOf(id))
  expect([await seen(), await outline()]).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ])
  await move([3], 'before', 0)
  expect([await seen(), await outline()]).toEqual([
    [3, 0, 1, 2],
    [3, 0, 1, 2],
  ])
  const uploadOrder = (await read('photos?sort=upload_date')).map(({ id }: { id: number }) => ids.indexOf(id))
  expect(uploadOrder).toEqual([0, 1, 2, 3])
})

test('without room between two photos, all get new places in the same order', { tags: 'database' }, async () => {
  const { event, ids, move, list } = await openEvent(5)
  await move([4], 'after', 3)
  await changeDatabase(service, (stored) => {
    const set = stored.prepare('update photos set manual_position = ? where id = ?')
    for (const [index, id] of ids.entries()) set.run(-2 + index, id)
  })
  await move([4, 0], 'before', 2)
  expect(await list()).toEqual([1, 4, 0, 2, 3])
  const positions = listPositions(event.id).map(Number)
  expect(new Set(positions).size).toBe(5)
  expect(Math.abs((positions[3] ?? 0) - (positions[2] ?? 0))).toBe(2 ** 32)
})

test('ids of other events are ignored, and invalid requests change nothing', async () => {
  const [one, other] = [await openEvent(3), await openEvent(2)]
  const path = `/api/admin/photos/${one.event.id}/order`
  const [a, b, c] = one.ids
  const foreign = other.ids[0]
  const move = (body: Record<string, unknown>) => admin.put(path, { place: 'before', photo_id: a, ...body })
  expect((await move({ photoIds: [foreign, c, c] })).body).toEqual({ moved: 1, ignored: [foreign] })
  expect(await one.list()).toEqual([2, 0, 1])
  expect(listPositions(other.event.id)).toEqual([null, null])
  expectProblem(await move({ photoIds: [b], photo_id: foreign }), 404, 'NOT_FOUND')
  expectInvalidField(await move({ photoIds: [a, b] }), 'photo_id')
  expectInvalidField(await move({ photoIds: [] }), 'photoIds')
  expectInvalidField(await move({ photoIds: Array.from({ length: 501 }, (_, index) => index + 1) }), 'photoIds')
  expectInvalidField(await move({ photoIds: [b], place: 'first' }), 'place')
  await api.post(`/api/v1/events/${one.event.id}/archive`, {})
  expectProblem(await move({ photoIds: [b] }), 409, 'EVENT_ARCHIVED')
  expect(await one.list()).toEqual([2, 0, 1])
})
