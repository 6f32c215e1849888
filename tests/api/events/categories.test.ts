import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

type Category = { id: number; name: string; photo_count: number; is_global: boolean }
const create = (body: Record<string, unknown>) => admin.post('/api/admin/categories', { name: 'Dance', ...body })
const listGlobal = async (): Promise<Category[]> => (await admin.get('/api/admin/categories/global')).body
const listForEvent = async (id = event.id): Promise<Category[]> =>
  (await admin.get(`/api/admin/categories/event/${id}`)).body

test('four global categories are seeded', async () => {
  const names = (await listGlobal()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Ceremony', 'Portraits', 'Party', 'Guest uploads']))
})

describe('creating', () => {
  test('a category of an event returns 201 with the whole record', async () => {
    const { status, body } = await create({ event_id: event.id, allow_downloads: false })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Dance',
      slug: 'dance',
      is_global: false,
      event_id: event.id,
      allow_downloads: false,
      sort_order: expect.any(Number),
      photo_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    })
    expect((await listForEvent()).map(({ id }) => id)).toContain(body.id)
    expect((await listGlobal()).map(({ id }) => id)).not.toContain(body.id)
  })

  test('a global one allows downloads by default', async () => {
    const { body } = await create({ is_global: true })
    expect(body).toMatchObject({ is_global: true, event_id: null, allow_downloads: true })
    expect((await listGlobal()).map(({ id }) => id)).toContain(body.id)
  })

  test('requires a name, and either an event or is_global: true', async () => {
    expectInvalidField(await create({ name: '', is_global: true }), 'name')
    expectInvalidField(await create({ name: undefined, is_global: true }), 'name')
    expectProblem(await create({}), 400, 'VALIDATION_ERROR')
    expectProblem(await create({ event_id: event.id, is_global: true }), 400, 'VALIDATION_ERROR')
  })

  test('requires an event that exists', async () => {
    expectProblem(await create({ event_id: 999_999 }), 404, 'NOT_FOUND')
    expectProblem(await admin.get('/api/admin/categories/event/999999'), 404, 'NOT_FOUND')
  })
})

describe('changing and deleting', () => {
  test('PUT changes only sent fields', async () => {
    const { body } = await create({ event_id: event.id })
    const changed = await admin.put(`/api/admin/categories/${body.id}`, { name: 'First dance' })
    expect(changed.body).toMatchObject({ id: body.id, name: 'First dance', allow_downloads: true, event_id: event.id })
    const switched = await admin.put(`/api/admin/categories/${body.id}`, { allow_downloads: false })
    expect(switched.body).toMatchObject({ name: 'First dance', allow_downloads: false })
  })

  test('an unknown id returns 404', async () => {
    expectProblem(await admin.put('/api/admin/categories/999999', { name: 'x' }), 404, 'NOT_FOUND')
    expectProblem(await admin.delete('/api/admin/categories/999999'), 404, 'NOT_FOUND')
  })

  test('DELETE keeps the photos, without a category', async () => {
    const { body } = await create({ event_id: event.id })
    const photo = await api.upload(event.id, await jpeg(), { fields: { category_id: body.id } })
    expect(photo.body).toMatchObject({ category_id: body.id, category: 'Dance' })
    expect((await listForEvent()).find(({ id }) => id === body.id)?.photo_count).toBe(1)
    expect((await admin.delete(`/api/admin/categories/${body.id}`)).status).toBe(200)
    const left = await admin.get(`/api/admin/photos/${event.id}/photo/${photo.body.id}`)
    expect(left.body).toMatchObject({ category_id: null, category: null })
  })

  test('a category in use for guest uploads returns 409 CATEGORY_IN_USE', async () => {
    const { body } = await create({ is_global: true })
    await createEvent(api, { allow_user_uploads: true, upload_category_id: body.id })
    expectProblem(await admin.delete(`/api/admin/categories/${body.id}`), 409, 'CATEGORY_IN_USE')
    expect((await listGlobal()).map(({ id }) => id)).toContain(body.id)
  })

  test('archived events reject create, change and delete: 409 EVENT_ARCHIVED', async () => {
    const { body } = await create({ event_id: event.id })
    await admin.post(`/api/admin/events/${event.id}/archive`, {})
    expectProblem(await create({ event_id: event.id }), 409, 'EVENT_ARCHIVED')
    expectProblem(await admin.put(`/api/admin/categories/${body.id}`, { name: 'x' }), 409, 'EVENT_ARCHIVED')
    expectProblem(await admin.delete(`/api/admin/categories/${body.id}`), 409, 'EVENT_ARCHIVED')
    await admin.post(`/api/admin/events/${event.id}/restore`, {})
  })

  test('an id is never used twice', async () => {
    const first = await create({ is_global: true })
    await admin.delete(`/api/admin/categories/${first.body.id}`)
    expect((await create({ is_global: true })).body.id).toBeGreaterThan(first.body.id)
  })
})

describe('the order of the categories of an event', () => {
  const createOwn = async (owner: TestEvent) => {
    const ids: number[] = []
    for (const name of ['One', 'Two', 'Three']) ids.push((await create({ event_id: owner.id, name })).body.id)
    return ids
  }
  const reorder = (owner: TestEvent, category_ids: unknown, client = admin) =>
    client.put(`/api/admin/categories/event/${owner.id}/order`, { category_ids })
  const listOwnIds = async (owner: TestEvent) =>
    (await listForEvent(owner.id)).filter(({ is_global }) => !is_global).map(({ id }) => id)

  test('is changed in one request, which returns all categories in their order', async () => {
    const own = await createEvent(api)
    const [one, two, three] = await createOwn(own)
    const { status, body } = await reorder(own, [three, one, two])
    expect(status).toBe(200)
    expect(body).toEqual(await listForEvent(own.id))
    expect(await listOwnIds(own)).toEqual([three, one, two])
  })

  test('stays the same if the list is not that of the event: 409 INVALID_STATE', async () => {
    const [own, other] = [await createEvent(api), await createEvent(api)]
    const [one = 0, two = 0, three = 0] = await createOwn(own)
    const [foreign = 0] = await createOwn(other)
    const [global] = await listGlobal()
    for (const list of [
      [three, two],
      [three, two, one, foreign],
      [three, two, foreign],
      [three, two, one, global?.id],
    ]) {
      expectProblem(await reorder(own, list), 409, 'INVALID_STATE')
    }
    await admin.delete(`/api/admin/categories/${one}`)
    expectProblem(await reorder(own, [three, two, one]), 409, 'INVALID_STATE')
    expect(await listOwnIds(own)).toEqual([two, three])
    expect(await listOwnIds(other)).toHaveLength(3)
  })

  test('requires a list of at most 1,000 ids, each once', async () => {
    const own = await createEvent(api)
    const [one = 0, two = 0, three = 0] = await createOwn(own)
    for (const list of [[], [one, two, three, three], Array.from({ length: 1001 }, (_, id) => id + 1), undefined]) {
      expectInvalidField(await reorder(own, list), 'category_ids')
    }
    expectInvalidField(await reorder(own, ['x']), 'category_ids.0')
    expect(await listOwnIds(own)).toEqual([one, two, three])
  })

  test('is changed by owners only, and not in archived events', async () => {
    const own = await createEvent(api)
    const ids = await createOwn(own)
    const { admin: stranger } = await createAccount(service, 'admin')
    expectProblem(await reorder(own, ids.toReversed(), stranger), 403, 'FORBIDDEN')
    expectProblem(await admin.put('/api/admin/categories/event/999999/order', { category_ids: ids }), 404, 'NOT_FOUND')
    await admin.post(`/api/admin/events/${own.id}/archive`, {})
    expectProblem(await reorder(own, ids.toReversed()), 409, 'EVENT_ARCHIVED')
  })
})

test('photos are counted in the requested event', async () => {
  const other = await createEvent(api)
  const [ceremony] = await listGlobal()
  await api.upload(other.id, await jpeg({ seed: 2 }), { fields: { category_id: ceremony?.id ?? 0 } })
  const countPhotos = async (id: number) => (await listForEvent(id)).find((one) => one.id === ceremony?.id)?.photo_count
  expect(await countPhotos(other.id)).toBe(1)
  expect(await countPhotos(event.id)).toBe(0)
})
