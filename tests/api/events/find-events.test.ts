import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
let owner: Account
let wedding: TestEvent
let expired: TestEvent
let draft: TestEvent
let archived: TestEvent

beforeAll(async () => {
  owner = await createAccount(service, 'admin')
  const { api } = owner
  const customer = { customer_name: 'Ana Fuchs', customer_email: 'ana@example.com' }
  wedding = await createEvent(api, { event_name: 'Élise & Ben', event_date: '2026-09-12', ...customer })
  expired = await createEvent(api, { event_name: 'party 10', event_date: '2026-01-01' })
  draft = await createEvent(api, { event_name: 'Party 2', event_type: 'birthday', is_draft: true })
  archived = await createEvent(api, { event_name: 'Long ago' })
  await uploadPhotos(api, wedding.id, 2)
  await owner.admin.post(`/api/admin/events/${archived.id}/archive`, undefined)
  await changeDatabase(service, (stored) => {
    stored.prepare('update events set expires_at = ? where id = ?').run(Date.now() - 1000, expired.id)
    stored.prepare('update events set total_views = 7 where id = ?').run(expired.id)
  })
  await createEvent((await createAccount(service, 'admin')).api, { event_name: 'Of somebody else' })
})

const find = async (query: string) => (await owner.admin.get(`/api/admin/events?${query}`)).body
const findIds = async (query: string) => (await find(query)).events.map(({ id }: { id: number }) => id)

test('an item has the fields of the public list, and more for operators', async () => {
  const [item] = (await find('search=elise')).events
  const event = (await owner.admin.get(`/api/admin/events/${wedding.id}`)).body
  const { waiting, ...common } = item
  for (const key of Object.keys(common)) expect([key, common[key]]).toEqual([key, event[key]])
  expect(waiting).toEqual({ selections: 0, guest_uploads: 0, comments: 0, notes: 0 })
  expect(common).toMatchObject({
    photo_count: 2,
    video_count: 0,
    customer_email: 'ana@example.com',
    require_password: false,
  })
  expect(item.cover_photo_id).toEqual(expect.any(Number))
  expect((await find('state=draft')).events[0].cover_photo_id).toBeNull()
})

test('the cover is the chosen photo while it exists', async () => {
  const { photos } = (await owner.admin.get(`/api/admin/photos/${wedding.id}/photos`)).body
  const first = (await find('search=elise')).events[0].cover_photo_id
  const other = photos.find(({ id }: { id: number }) => id !== first).id
  await owner.admin.patch(`/api/admin/events/${wedding.id}`, { cover_photo_id: other })
  expect((await find('search=elise')).events[0].cover_photo_id).toBe(other)
})

describe('searching', () => {
  test.each(['elise', 'ÉLISE', 'ben élise', 'fuchs', 'ANA@example'])('“%s” finds the wedding', async (search) => {
    expect(await findIds(`search=${encodeURIComponent(search)}`)).toEqual([wedding.id])
  })

  test.each(['nobody', '%', '_', 'somebody else'])('“%s” finds nothing', async (search) => {
    expect(await find(`search=${encodeURIComponent(search)}`)).toMatchObject({ events: [], pagination: { total: 0 } })
  })
})

test('each event is in one state', async () => {
  expect(await findIds('state=live')).toEqual([wedding.id])
  expect(await findIds('state=expired')).toEqual([expired.id])
  expect(await findIds('state=draft')).toEqual([draft.id])
  expect(await findIds('state=archived')).toEqual([archived.id])
})

test('filters can be combined, and pages count the results', async () => {
  expect(await findIds('search=party&state=draft&event_type=birthday')).toEqual([draft.id])
  const body = await find('search=party&limit=1&page=2&sort=name')
  expect(body).toMatchObject({
    events: [{ id: expired.id }],
    pagination: { page: 2, limit: 1, offset: 1, total: 2, pages: 2 },
  })
})

test.each([
  ['', () => [archived, draft, expired, wedding]],
  ['sort=created&order=asc', () => [wedding, expired, draft, archived]],
  ['sort=name', () => [wedding, archived, draft, expired]],
  ['sort=event_date', () => [wedding, expired, archived, draft]],
  ['sort=event_date&order=asc', () => [expired, wedding, archived, draft]],
  ['sort=expires_at&order=asc&limit=1', () => [expired]],
  ['sort=photos&limit=1', () => [wedding]],
  ['sort=views&limit=1', () => [expired]],
])('sorted by “%s”', async (query, getExpectedEvents) => {
  expect(await findIds(query)).toEqual(getExpectedEvents().map(({ id }) => id))
})

test.each(['state=gone', 'sort=size', 'order=up'])('%s returns 400', async (query) => {
  expectInvalidField(await owner.admin.get(`/api/admin/events?${query}`), query.split('=')[0] as string)
})
