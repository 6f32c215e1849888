import { describe, expect, test } from 'vitest'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api, anonymous, url } = service

const password = 'tulips and roses'
let moved = 0

type MovedEvent = TestEvent & { oldSlug: string; outdated: string }

/** Returns an event with share tokens of PicPeak, a current one and one that is outdated, and with an older slug. */
async function createMovedEvent(body: Record<string, unknown> = {}): Promise<MovedEvent> {
  const event = await createEvent(api, { event_name: 'Moved', ...body })
  const outdated = createToken()
  const share_token = createToken()
  await setColumn(event, 'share_token', outdated)
  await admin.post(`/api/admin/events/${event.id}/renew-link`, undefined)
  await setColumn(event, 'share_token', share_token)
  const oldSlug = `wedding-of-ana-${moved}`
  await addOldSlug(oldSlug, event)
  return { ...event, share_token, oldSlug, outdated }
}

const createToken = (): string => (++moved).toString(16).padStart(32, 'a')

/** Writes beside the service, and then changes the event through it, so that it reads the event again. */
async function setColumn(event: TestEvent, column: string, value: string | number): Promise<void> {
  await changeDatabase(service, (stored) =>
    stored.prepare(`update events set ${column} = ? where id = ?`).run(value, event.id),
  )
  await api.patch(`/api/v1/events/${event.id}`, { welcome_message: `${column} ${value}` })
}

const addOldSlug = (slug: string, { id }: TestEvent) =>
  changeDatabase(service, (stored) =>
    stored.prepare('insert into old_slugs (slug, event_id) values (?, ?)').run(slug, id),
  )

async function visit(path: string) {
  const response = await fetch(url + path, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, page: await response.text() }
}

/** Expects the page for an address that no gallery has. Only the address in its links differs. */
async function expectUnknown(path: string): Promise<void> {
  const unknownPath = '/gallery/nobody-has-this'
  const { status, headers, page } = await visit(path)
  expect([path, status, headers.get('location')]).toEqual([path, 404, null])
  expect(page).toBe((await visit(unknownPath)).page.replaceAll(unknownPath, path))
}

async function expectRedirect(path: string, location: string): Promise<void> {
  const { status, headers } = await visit(path)
  expect([path, status, headers.get('location')]).toEqual([path, 302, location])
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.getSetCookie()).toEqual([])
}

type Address = [name: string, (event: MovedEvent) => { path: string; leadsTo: string }]
const addresses: Address[] = [
  ['a share token', (event) => ({ path: event.share_token, leadsTo: `${event.slug}/${event.share_token}` })],
  ['an outdated share token', (event) => ({ path: event.outdated, leadsTo: `${event.slug}/${event.outdated}` })],
  ['an old slug', (event) => ({ path: event.oldSlug, leadsTo: event.slug })],
  [
    'an old slug with the share token',
    (event) => ({ path: `${event.oldSlug}/${event.share_token}`, leadsTo: `${event.slug}/${event.share_token}` }),
  ],
  [
    'an old slug with an outdated share token',
    (event) => ({ path: `${event.oldSlug}/${event.outdated}`, leadsTo: `${event.slug}/${event.outdated}` }),
  ],
  [
    'an old slug with an unknown share token',
    (event) => ({ path: `${event.oldSlug}/${'f'.repeat(32)}`, leadsTo: `${event.slug}/${'f'.repeat(32)}` }),
  ],
]

/** What is true of the event, and the numbers of the addresses that lead to it. All others lead to nothing. */
const states: Array<[string, { body?: Record<string, unknown>; column?: [string, number]; leading: number[] }]> = [
  ['a gallery with a password', { body: { require_password: true, password }, leading: [0, 1, 2, 3, 4] }],
  ['a gallery without a password', { leading: [0, 3] }],
  ['an expired gallery', { column: ['expires_at', 1], leading: [0, 1, 2, 3, 4, 5] }],
  ['a draft', { body: { is_draft: true }, leading: [] }],
  ['an archived gallery', { column: ['is_archived', 1], leading: [] }],
  ['a gallery in the trash', { column: ['trashed_at', 1], leading: [] }],
]

describe.each(states)('%s', (_name, { body, column, leading }) => {
  test('is reached by its old addresses where its present address shows a page', async () => {
    const event = await createMovedEvent(body)
    if (column) {
      await changeDatabase(service, (stored) =>
        stored.prepare(`update events set ${column[0]} = ? where id = ?`).run(column[1], event.id),
      )
      // A change of another event, because this one can no longer be changed.
      await createMovedEvent()
    }
    for (const [index, [, locate]] of addresses.entries()) {
      const { path, leadsTo } = locate(event)
      const present = await visit(`/gallery/${leadsTo}`)
      expect([leadsTo, present.status === 404]).toEqual([leadsTo, !leading.includes(index)])
      if (leading.includes(index)) await expectRedirect(`/gallery/${path}`, `/gallery/${leadsTo}`)
      else await expectUnknown(`/gallery/${path}`)
    }
  })
})

test('an old address keeps its query', async () => {
  const event = await createMovedEvent()
  const query = '?photo=12&search=%C3%BC'
  await expectRedirect(`/gallery/${event.share_token}${query}`, `/gallery/${event.slug}/${event.share_token}${query}`)
})

test('a slug that belongs to an event leads to it, and to another one only with the share token of that', async () => {
  const [owner, moved] = [await createMovedEvent(), await createMovedEvent()]
  await addOldSlug(owner.slug, moved)
  expect((await visit(`/gallery/${owner.slug}/${owner.share_token}`)).status).toBe(200)
  await expectRedirect(`/gallery/${owner.slug}/${moved.share_token}`, `/gallery/${moved.slug}/${moved.share_token}`)
  await expectUnknown(`/gallery/${owner.slug}/${'f'.repeat(32)}`)
})

test('other routes know no old slugs', async () => {
  const event = await createMovedEvent({ require_password: true, password })
  const login = { slug: event.oldSlug, token: event.share_token }
  expect((await anonymous.get(`/api/gallery/${event.oldSlug}/info`)).status).toBe(404)
  expect((await anonymous.post('/api/auth/gallery/share-login', login)).status).toBe(404)
})

test('a new event gets no slug that leads to another one', async () => {
  const event = await createEvent(api, { event_name: 'Old harbor', event_date: '2026-05-04' })
  await addOldSlug(`${event.slug}-1`, event)
  const created = await createEvent(api, { event_name: 'Old harbor', event_date: '2026-05-04' })
  expect(created.slug).toBe(`${event.slug}-2`)
})

test('the old slugs of a deleted event are free', async () => {
  const event = await createMovedEvent()
  expect((await api.delete(`/api/v1/events/${event.id}`)).status).toBe(200)
  const count = readDatabase(service, (stored) =>
    stored.prepare('select count(*) from old_slugs where slug = ?').pluck().get(event.oldSlug),
  )
  expect(Number(count)).toBe(0)
})
