import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const owner = await createAccount(service, 'admin')
/** 25 events, oldest first: 5 drafts (the first, then every fifth), the third archived, the last two birthdays. */
const ids: number[] = []
for (let index = 0; index < 25; index++) {
  const event_type = index >= 23 ? 'birthday' : 'wedding'
  ids.push((await createEvent(owner.api, { event_type, is_draft: index % 5 === 0 })).id)
}
await changeDatabase(service, (stored) => stored.prepare('update events set is_archived = 1 where id = ?').run(ids[2]))

const idsNewestFirst = () => [...ids].reverse()
const list = async (query = '') => (await owner.api.get(`/api/v1/events${query}`)).body
const listIds = ({ events }: { events: Array<{ id: number }> }) => events.map(({ id }) => id)

test('the newest come first, 20 at a time', async () => {
  const body = await list()
  expect(listIds(body)).toEqual(idsNewestFirst().slice(0, 20))
  expect(body.pagination).toEqual({ page: 1, next: expect.any(String), limit: 20, offset: 0, total: 25, pages: 2 })
})

test('an item has exactly these keys', async () => {
  await uploadPhotos(owner.api, ids[24] as number, 1)
  const [item] = (await list('?limit=1')).events
  const event = (await owner.api.get(`/api/v1/events/${ids[24]}`)).body
  const keys = 'id slug event_name event_type event_date customer_name expires_at is_active is_archived is_draft'
  const wanted = [...keys.split(' '), 'photo_count', 'share_url', 'created_at']
  expect(Object.keys(item).sort()).toEqual(wanted.sort())
  for (const key of wanted) expect(item[key]).toEqual(event[key])
  expect(item).toMatchObject({ photo_count: 1, is_active: true, is_draft: false, is_archived: false })
})

describe('paging', () => {
  test('by offset or by page', { tags: 'database' }, async () => {
    const byOffset = await list('?limit=10&offset=5')
    expect(listIds(byOffset)).toEqual(idsNewestFirst().slice(5, 15))
    expect(byOffset.pagination).toMatchObject({ limit: 10, offset: 5, total: 25, pages: 3 })
    const byPage = await list('?limit=10&page=3')
    expect(listIds(byPage)).toEqual(idsNewestFirst().slice(20))
    expect(byPage.pagination).toEqual({ page: 3, next: null, limit: 10, offset: 20, total: 25, pages: 3 })
    expect(await list('?offset=1000')).toMatchObject({ events: [], pagination: { offset: 1000, total: 25 } })
    expect(listIds(await list('?limit=100'))).toEqual(idsNewestFirst())
  })

  test('by cursor: nothing is repeated or left out while events change', { tags: 'database' }, async () => {
    const account = await createAccount(service, 'admin')
    const create = async () => (await createEvent(account.api)).id
    const old = [await create(), await create(), await create(), await create()]
    const read = async (query: string) => (await account.api.get(`/api/v1/events?limit=2${query}`)).body
    const first = await read('')
    await create()
    await account.api.delete(`/api/v1/events/${old[3]}`)
    const second = await read(`&after=${first.pagination.next}`)
    expect([...listIds(first), ...listIds(second)]).toEqual(old.toReversed())
    expect(second.pagination).toEqual({ page: null, next: null, limit: 2, offset: null, total: 4, pages: 2 })
  })

  test('by something else is 400', async () => {
    const invalid = ['after=x', 'after=ZTE&page=2', 'after=ZTE&offset=0', `after=${'a'.repeat(101)}`, 'page=1&offset=0']
    for (const query of invalid) expectProblem(await owner.api.get(`/api/v1/events?${query}`), 400, 'VALIDATION_ERROR')
  })
})

test('is_draft, is_archived and event_type filter the list, alone and together', async () => {
  const isDraft = (id: number) => ids.indexOf(id) % 5 === 0
  expect(listIds(await list('?limit=100&is_draft=true'))).toEqual(idsNewestFirst().filter(isDraft))
  expect(listIds(await list('?limit=100&is_draft=false'))).toEqual(idsNewestFirst().filter((id) => !isDraft(id)))
  const archived = await list('?limit=100&is_archived=true')
  expect(archived).toMatchObject({ events: [{ id: ids[2], is_active: false }], pagination: { total: 1, pages: 1 } })
  expect(listIds(await list('?limit=100&is_archived=false'))).toEqual(idsNewestFirst().filter((id) => id !== ids[2]))
  expect(listIds(await list('?event_type=birthday'))).toEqual(idsNewestFirst().slice(0, 2))
  expect(await list('?event_type=nothing')).toMatchObject({ events: [], pagination: { total: 0, pages: 0 } })
  const { events, pagination } = await list('?event_type=wedding&is_draft=true&is_archived=false&limit=2')
  expect(pagination).toMatchObject({ total: 5, pages: 3 })
  for (const event of events) expect(event).toMatchObject({ event_type: 'wedding', is_draft: true })
  for (const query of ['is_draft=1', 'is_archived=TRUE', 'is_archived='])
    expectInvalidField(await owner.api.get(`/api/v1/events?${query}`), query.split('=')[0] as string)
})

test('the admin API lists the same events', async () => {
  const { events } = await list('?limit=100')
  expect((await owner.admin.get('/api/admin/events?limit=100')).body).toMatchObject({ events })
})

test('search finds words of name, customer and slug, with filters and cursor', { tags: 'database' }, async () => {
  const account = await createAccount(service, 'admin')
  const create = async (body: Record<string, unknown>) => (await createEvent(account.api, body)).id
  const zoe = await create({ event_name: 'Zoë & Max', customer_name: 'Löwe' })
  const draft = await create({ event_name: 'Max alone', is_draft: true })
  await create({ event_name: 'Ana & Ben' })
  const find = async (query: string) => listIds((await account.api.get(`/api/v1/events?${query}`)).body)
  expect(await find('search=MAX')).toEqual([draft, zoe])
  expect(await find('search=zoe%20lowe')).toEqual([zoe])
  expect(await find('search=max&is_draft=true')).toEqual([draft])
  expect(await find('search=nobody')).toEqual([])
  const { pagination } = (await account.api.get('/api/v1/events?search=max&limit=1')).body
  expect(pagination).toMatchObject({ total: 2, pages: 2 })
  expect(await find(`search=max&limit=1&after=${pagination.next}`)).toEqual([zoe])
  expectInvalidField(await account.api.get(`/api/v1/events?search=${'a'.repeat(201)}`), 'search')
})

test('updated_since lists only what has changed since', async () => {
  const account = await createAccount(service, 'admin')
  const [first, second] = [(await createEvent(account.api)).id, (await createEvent(account.api)).id]
  await changeDatabase(service, (stored) =>
    stored.prepare('update events set updated_at = 1000 where id in (?, ?)').run(first, second),
  )
  const find = async (since: string) =>
    listIds((await account.api.get(`/api/v1/events?updated_since=${encodeURIComponent(since)}`)).body)
  expect(await find('1970-01-01T00:00:01Z')).toEqual([second, first])
  expect(await find('1970-01-01T00:00:01.001Z')).toEqual([])
  await account.api.patch(`/api/v1/events/${first}`, { event_name: 'Renamed' })
  expect(await find('1970-01-02')).toEqual([first])
  expectInvalidField(await account.api.get('/api/v1/events?updated_since=yesterday'), 'updated_since')
})
