import { expect, test } from 'vitest'
import { changeDatabase } from '../../support/database/service-database.ts'
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

/** Old addresses with the present ones. An outdated token opens only a gallery with a password, an unknown one nothing. */
const listAddresses = ({ slug, oldSlug, share_token, outdated }: MovedEvent) => [
  { path: share_token, leadsTo: `${slug}/${share_token}` },
  { path: outdated, leadsTo: `${slug}/${outdated}` },
  { path: oldSlug, leadsTo: slug },
  ...[share_token, outdated, 'f'.repeat(32)].map((token) => {
    return { path: `${oldSlug}/${token}`, leadsTo: `${slug}/${token}` }
  }),
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

test('a gallery is reached by its old addresses where its present address shows a page', async () => {
  for (const [name, { body, column, leading }] of states) {
    const event = await createMovedEvent(body)
    if (column) {
      await changeDatabase(service, (stored) =>
        stored.prepare(`update events set ${column[0]} = ? where id = ?`).run(column[1], event.id),
      )
      // A change of another event, because this one can no longer be changed.
      await createMovedEvent()
    }
    for (const [index, { path, leadsTo }] of listAddresses(event).entries()) {
      const present = await visit(`/gallery/${leadsTo}`)
      expect([leadsTo, present.status === 404], name).toEqual([leadsTo, !leading.includes(index)])
      if (leading.includes(index)) await expectRedirect(`/gallery/${path}`, `/gallery/${leadsTo}`)
      else await expectUnknown(`/gallery/${path}`)
    }
  }
})

test('an old address keeps its query, and no other route knows an old slug', async () => {
  const event = await createMovedEvent()
  const { slug, oldSlug, share_token: token } = event
  const query = '?photo=12&search=%C3%BC'
  await expectRedirect(`/gallery/${token}${query}`, `/gallery/${slug}/${token}${query}`)
  expect((await anonymous.get(`/api/gallery/${oldSlug}/info`)).status).toBe(404)
  expect((await anonymous.post('/api/auth/gallery/share-login', { slug: oldSlug, token })).status).toBe(404)
})

test('a slug that belongs to an event leads to it, and to another one only with the share token of that', async () => {
  const [owner, moved] = [await createMovedEvent(), await createMovedEvent()]
  await addOldSlug(owner.slug, moved)
  expect((await visit(`/gallery/${owner.slug}/${owner.share_token}`)).status).toBe(200)
  await expectRedirect(`/gallery/${owner.slug}/${moved.share_token}`, `/gallery/${moved.slug}/${moved.share_token}`)
  await expectUnknown(`/gallery/${owner.slug}/${'f'.repeat(32)}`)
})

test('a new event gets no slug that leads to another one, until that is deleted', async () => {
  const body = { event_name: 'Old harbor', event_date: '2026-05-04' }
  const event = await createEvent(api, body)
  await addOldSlug(`${event.slug}-1`, event)
  expect((await createEvent(api, body)).slug).toBe(`${event.slug}-2`)
  expect((await api.delete(`/api/v1/events/${event.id}`)).status).toBe(200)
  expect((await createEvent(api, body)).slug).toBe(event.slug)
  expect((await createEvent(api, body)).slug).toBe(`${event.slug}-1`)
})
