import { expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const owner = await createAccount(service, 'admin')
const { api } = owner
const customer = { customer_name: 'Ana Fuchs', customer_email: 'ana@example.com' }
const wedding = await createEvent(api, { event_name: 'Élise & Ben', event_date: '2026-09-12', ...customer })
const expired = await createEvent(api, { event_name: 'party 10', event_date: '2026-01-01' })
const draft = await createEvent(api, { event_name: 'Party 2', event_type: 'birthday', is_draft: true })
const archived = await createEvent(api, { event_name: 'Long ago' })
await uploadPhotos(api, wedding.id, 2)
await owner.admin.post(`/api/admin/events/${archived.id}/archive`, undefined)
await changeDatabase(service, (stored) =>
  stored.prepare('update events set expires_at = ?, total_views = 7 where id = ?').run(Date.now() - 1000, expired.id),
)
await createEvent((await createAccount(service, 'admin')).api, { event_name: 'Of somebody else' })

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

  // The cover is the chosen photo while it exists.
  const { photos } = (await owner.admin.get(`/api/admin/photos/${wedding.id}/photos`)).body
  const other = photos.find(({ id }: { id: number }) => id !== item.cover_photo_id).id
  await owner.admin.patch(`/api/admin/events/${wedding.id}`, { cover_photo_id: other })
  expect((await find('search=elise')).events[0].cover_photo_id).toBe(other)
})

test('search, state, filters, sort and pages select the events', { tags: 'database' }, async () => {
  const byQuery: Array<[string, Array<{ id: number }>]> = [
    ['search=elise', [wedding]],
    ['search=ben%20%C3%89LISE', [wedding]],
    ['search=fuchs', [wedding]],
    ['search=ANA@example', [wedding]],
    ['search=nobody', []],
    ['search=%25', []],
    ['search=_', []],
    ['search=somebody%20else', []],
    ['state=live', [wedding]],
    ['state=expired', [expired]],
    ['state=draft', [draft]],
    ['state=archived', [archived]],
    ['search=party&state=draft&event_type=birthday', [draft]],
    ['', [archived, draft, expired, wedding]],
    ['sort=created&order=asc', [wedding, expired, draft, archived]],
    ['sort=name', [wedding, archived, draft, expired]],
    ['sort=event_date', [wedding, expired, archived, draft]],
    ['sort=event_date&order=asc', [expired, wedding, archived, draft]],
    ['sort=expires_at&order=asc&limit=1', [expired]],
    ['sort=photos&limit=1', [wedding]],
    ['sort=views&limit=1', [expired]],
  ]
  for (const [query, events] of byQuery) expect(await findIds(query), query).toEqual(events.map(({ id }) => id))
  expect(await find('search=party&limit=1&page=2&sort=name')).toMatchObject({
    events: [{ id: expired.id }],
    pagination: { page: 2, limit: 1, offset: 1, total: 2, pages: 2 },
  })
  for (const query of ['state=gone', 'sort=size', 'order=up'])
    expectInvalidField(await owner.admin.get(`/api/admin/events?${query}`), query.split('=')[0] as string)
})
