import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
const event = await createEvent(api)

type Category = { id: number; name: string; photo_count: number; is_global: boolean }
const create = (body: Record<string, unknown>) => admin.post('/api/admin/categories', { name: 'Dance', ...body })
const change = (id: number, body: object) => admin.put(`/api/admin/categories/${id}`, body)
const remove = (id: number) => admin.delete(`/api/admin/categories/${id}`)
const listGlobal = async (): Promise<Category[]> => (await admin.get('/api/admin/categories/global')).body
const listForEvent = async (id = event.id): Promise<Category[]> =>
  (await admin.get(`/api/admin/categories/event/${id}`)).body
const listIds = (categories: Category[]) => categories.map(({ id }) => id)

test('a category of an event is created, changed by the fields that are sent, and listed only there', async () => {
  const { status, body } = await create({ event_id: event.id, allow_downloads: false })
  expect(status).toBe(201)
  expect(body).toEqual({
    ...{ id: expect.any(Number), name: 'Dance', slug: 'dance', is_global: false, event_id: event.id },
    ...{ allow_downloads: false, sort_order: expect.any(Number), photo_count: 0 },
    created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
  })
  expect(listIds(await listForEvent())).toContain(body.id)
  expect(listIds(await listGlobal())).not.toContain(body.id)
  const renamed = { ...body, name: 'First dance', slug: 'first-dance' }
  expect((await change(body.id, { name: 'First dance' })).body).toEqual(renamed)
  const switched = await change(body.id, { allow_downloads: true })
  expect(switched.body).toEqual({ ...renamed, allow_downloads: true })
})

test('four global categories are seeded, and a new one allows downloads; an id is never used twice', async () => {
  const names = (await listGlobal()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Ceremony', 'Portraits', 'Party', 'Guest uploads']))
  const { body } = await create({ is_global: true })
  expect(body).toMatchObject({ is_global: true, event_id: null, allow_downloads: true })
  expect(listIds(await listGlobal())).toContain(body.id)
  await remove(body.id)
  const { body: next } = await create({ is_global: true })
  expect(next.id).toBeGreaterThan(body.id)
  await remove(next.id)
})

test('a category requires a name, and either an event that exists or is_global: true', async () => {
  expectInvalidField(await create({ name: '', is_global: true }), 'name')
  expectInvalidField(await create({ name: undefined, is_global: true }), 'name')
  expectProblem(await create({}), 400, 'VALIDATION_ERROR')
  expectProblem(await create({ event_id: event.id, is_global: true }), 400, 'VALIDATION_ERROR')
  expectProblem(await create({ event_id: 999_999 }), 404, 'NOT_FOUND')
})

test('DELETE keeps the photos, without a category', async () => {
  const { body } = await create({ event_id: event.id })
  const photo = await api.upload(event.id, await jpeg(), { fields: { category_id: body.id } })
  expect(photo.body).toMatchObject({ category_id: body.id, category: 'Dance' })
  expect((await listForEvent()).find(({ id }) => id === body.id)?.photo_count).toBe(1)
  expect((await remove(body.id)).status).toBe(200)
  const left = await admin.get(`/api/admin/photos/${event.id}/photo/${photo.body.id}`)
  expect(left.body).toMatchObject({ category_id: null, category: null })
})

test('photos of a global category are counted in the requested event', async () => {
  const other = await createEvent(api)
  const [ceremony] = await listGlobal()
  await api.upload(other.id, await jpeg({ seed: 2 }), { fields: { category_id: ceremony?.id ?? 0 } })
  const countPhotos = async (id: number) => (await listForEvent(id)).find((one) => one.id === ceremony?.id)?.photo_count
  expect([await countPhotos(other.id), await countPhotos(event.id)]).toEqual([1, 0])
})

test('a category in use for guest uploads cannot be deleted: 409 CATEGORY_IN_USE', async () => {
  const { body } = await create({ is_global: true })
  const { id } = await createEvent(api, { allow_user_uploads: true, upload_category_id: body.id })
  expectProblem(await remove(body.id), 409, 'CATEGORY_IN_USE')
  await api.delete(`/api/v1/events/${id}`)
  expect((await remove(body.id)).status).toBe(200)
})

test('archived events reject create, change, order and delete: 409 EVENT_ARCHIVED', async () => {
  const archived = await createEvent(api)
  const { body } = await create({ event_id: archived.id })
  await admin.post(`/api/admin/events/${archived.id}/archive`, {})
  const order = { category_ids: [body.id] }
  for (const answer of [
    await create({ event_id: archived.id }),
    await change(body.id, { name: 'x' }),
    await admin.put(`/api/admin/categories/event/${archived.id}/order`, order),
    await remove(body.id),
  ]) {
    expectProblem(answer, 409, 'EVENT_ARCHIVED')
  }
})

describe('the order of the categories of an event', async () => {
  const [own, other] = [await createEvent(api), await createEvent(api)]
  const createOwn = async (event_id: number, names: string[]) => {
    const ids: number[] = []
    for (const name of names) ids.push((await create({ event_id, name })).body.id)
    return ids
  }
  const [one = 0, two = 0, three = 0] = await createOwn(own.id, ['One', 'Two', 'Three'])
  const reorder = (category_ids: unknown) => admin.put(`/api/admin/categories/event/${own.id}/order`, { category_ids })
  const listOwnIds = async () => listIds((await listForEvent(own.id)).filter(({ is_global }) => !is_global))

  test('is changed in one request, which returns all categories in their order', { tags: 'database' }, async () => {
    const { status, body } = await reorder([three, one, two])
    expect(status).toBe(200)
    expect(body).toEqual(await listForEvent(own.id))
    expect(await listOwnIds()).toEqual([three, one, two])
  })

  test('stays the same unless the list has the ids of the event, each once', async () => {
    const before = await listOwnIds()
    const [foreign = 0] = await createOwn(other.id, ['Theirs'])
    const [global] = await listGlobal()
    for (const list of [
      [three, two],
      [three, two, one, foreign],
      [three, two, foreign],
      [three, two, one, global?.id],
    ])
      expectProblem(await reorder(list), 409, 'INVALID_STATE')
    for (const list of [[], [one, two, three, three], Array.from({ length: 1001 }, (_, id) => id + 1), undefined])
      expectInvalidField(await reorder(list), 'category_ids')
    expectInvalidField(await reorder(['x']), 'category_ids.0')
    expect(await listOwnIds()).toEqual(before)
  })
})
