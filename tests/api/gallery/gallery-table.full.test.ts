import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type AccessKind,
  type GalleryTarget,
  galleryTable,
  guestOutcomes,
  type Outcome,
  ownerOutcomes,
  type RejectedCaller,
  rejectedCallers,
  type State,
  states,
} from '../../support/access/gallery-table.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, anonymous, api, url } = service

const rows = galleryTable.map((row, index) => ({ ...row, index }))
type Row = (typeof rows)[number]
type Prepared = {
  place: GalleryTarget
  guests: Record<string, TestClient>
  rejected: Record<RejectedCaller, TestClient>
}

const prepared = {} as Record<State, Prepared>
let stranger: Account

beforeAll(async () => {
  stranger = await createAccount(service, 'admin')
  for (const state of states) prepared[state] = await prepare(state)
})

const entryWays = ['another one by the link', 'by cookie', 'by an assignment']

describe.each(states.map((state, index) => ({ state, index })))('$state', ({ state, index: stateIndex }) => {
  /** Returns another third of the rows for each offset; all rows in the state `live` and in `npm run test:long`. */
  const selectThird = (offset: number): Row[] =>
    state === 'live' || isLongRun ? rows : rows.filter(({ index }) => (index + offset + stateIndex) % 3 === 0)

  test('for a guest by the link', async () => {
    const { guests, place } = prepared[state]
    expect(await listOutcomes(guests['by the link'] as TestClient, place)).toEqual(expected(guestOutcomes[state]))
  })

  test.each(entryWays.map((who, offset) => ({ who, offset })))('for a guest $who', async ({ who, offset }) => {
    const { guests, place } = prepared[state]
    const selectedRows = selectThird(offset)
    expect(await listOutcomes(guests[who] as TestClient, place, selectedRows)).toEqual(
      expected(guestOutcomes[state], selectedRows),
    )
  })

  test.each(['by header', 'by cookie'])('for an owner %s', async (via) => {
    const [client, selectedRows] =
      via === 'by header'
        ? [admin, rows]
        : [withCookie(`admin_token=${admin.token}`, { 'x-operator-view': '1' }), selectThird(0)]
    expect(await listOutcomes(client, prepared[state].place, selectedRows)).toEqual(
      expected(ownerOutcomes[state], selectedRows),
    )
  })

  test.each(Object.entries(rejectedCallers).map(([who, code], offset) => ({ who, code, offset })))(
    'for $who, who is rejected with $code unless the state is checked first',
    async ({ who, code, offset }) => {
      const { rejected, place } = prepared[state]
      // If all outcomes of a state are the same error, the service checks the state before the credential.
      const stateOutcomes = new Set<Outcome>(Object.values(guestOutcomes[state]))
      const outcome = stateOutcomes.size === 1 && !stateOutcomes.has('ok') ? [...stateOutcomes][0] : code
      const expectedOutcomes = Object.fromEntries(
        Object.keys(guestOutcomes.live).map((accessKind) => [accessKind, outcome]),
      ) as Record<AccessKind, Outcome>
      const selectedRows = selectThird(offset)
      expect(await listOutcomes(rejected[who as RejectedCaller], place, selectedRows)).toEqual(
        expected(expectedOutcomes, selectedRows),
      )
    },
  )
})

const formatLine = (route: string, index: number, outcome: string) => `${index} ${route}: ${outcome}`
const expected = (table: Record<AccessKind, Outcome>, selectedRows = rows) =>
  selectedRows.map(({ route, accessKind, index }) => formatLine(route, index, table[accessKind]))

async function listOutcomes(client: TestClient, place: GalleryTarget, selectedRows = rows): Promise<string[]> {
  const lines: string[] = []
  for (const { route, send, index } of selectedRows) {
    lines.push(formatLine(route, index, getOutcome(await send(client, place))))
  }
  return lines
}

/** A guest without picks who may submit a selection counts as allowed. */
const getOutcome = ({ status, body }: TestResponse): string =>
  status < 300 || body?.code === 'NOTHING_SELECTED' ? 'ok' : `${status} ${body?.code}`

async function prepare(state: State): Promise<Prepared> {
  const [category] = (await admin.get('/api/admin/categories/global')).body
  const event = await createEvent(api, {
    allow_notes: true,
    allow_annotations: true,
    keep_versions: true,
    event_name: state,
    allow_user_uploads: state !== 'guest uploads switched off',
    upload_category_id: category.id,
    moderate_uploads: true,
    allow_downloads: state !== 'downloads switched off',
    feedback_enabled: state !== 'feedback switched off',
    reveal_at: state === 'before the reveal' ? new Date(Date.now() + 86_400_000).toISOString() : null,
  })
  const [photoId = 0] = await uploadPhotos(api, event.id, 2)
  const outdated = await enterAsGuest(service, event)
  const changed = await admin.patch(`/api/admin/events/${event.id}`, { require_password: true, password: 'olive tree' })
  const { body: again } = await admin.patch(`/api/admin/events/${event.id}`, { require_password: false })
  expect(again.share_token).not.toBe(changed.body.share_token)
  const enter = () => enterAsGuest(service, { ...event, share_token: again.share_token })

  const signedOutGuest = await enter()
  await signedOutGuest.post('/api/auth/gallery/logout', {})
  const other = await createEvent(api)
  const withdrawn = await enterAssigned(event)
  await admin.delete(assignmentPath(withdrawn.customer, event))
  const assigned = await enterAssigned(event)
  const guest = await enter()
  const guests = {
    'by the link': guest,
    'another one by the link': await enter(),
    'by cookie': withCookie(`gallery_${event.id}=${(await enter()).token}`),
    'by an assignment': assigned.guest,
  }
  const rejected = {
    nobody: anonymous,
    'a broken token': createClient(url, `${guest.token}x`),
    'a guest who has left': signedOutGuest,
    'a guest of before the password change': outdated,
    'a guest of another gallery': await enterAsGuest(service, other),
    'an admin who does not own the event': stranger.admin,
    'an API token of the owner': api,
    'the session of a customer': assigned.session,
    'a customer who is no longer assigned': withdrawn.guest,
  }
  const place = await enterState(state, { slug: event.slug, photoId }, event.id)
  return { place, guests, rejected }
}

async function enterState(state: State, place: GalleryTarget, eventId: number): Promise<GalleryTarget> {
  const photo = `/api/admin/photos/${eventId}/photos/${place.photoId}`
  switch (state) {
    case 'a hidden photo':
      await admin.patch(photo, { visibility: 'hidden' })
      return place
    case 'a deleted photo':
      await admin.delete(photo)
      return place
    case 'a photo of another gallery':
      return { ...place, photoId: prepared.live.place.photoId }
    case 'a category that opts out of downloads': {
      const { body } = await admin.post('/api/admin/categories', {
        name: 'Family',
        event_id: eventId,
        allow_downloads: false,
      })
      await admin.patch(photo, { category_id: body.id })
      return place
    }
    case 'archived':
      await admin.post(`/api/admin/events/${eventId}/archive`, {})
      return place
    case 'draft':
      return changed(place, eventId, 'is_draft', 1, 404)
    case 'expired':
      return changed(place, eventId, 'expires_at', Date.now() - 1000, 410)
    case 'never was':
      return { slug: 'never-was', photoId: 999_999 }
    default:
      return place
  }
}

/** Writes to the database, because no route causes this change at once, and waits until the service sees it. */
async function changed(place: GalleryTarget, eventId: number, column: string, value: number, status: number) {
  await changeDatabase(service, (stored) =>
    stored.prepare(`update events set ${column} = ? where id = ?`).run(value, eventId),
  )
  await vi.waitFor(async () => {
    expect((await anonymous.get(`/api/gallery/${place.slug}/photos`)).status).toBe(status)
  }, 60_000)
  return place
}

/** Returns a guest by an assignment, and the customer. */
async function enterAssigned(event: { id: number; slug: string }) {
  const customer = await createCustomer(admin)
  await admin.put(assignmentPath(customer, event), {})
  const session = await signInAsCustomer(service, customer)
  return { customer, session, guest: await enterAsCustomer(service, session, event.slug) }
}

function withCookie(cookie: string, headers: Record<string, string> = {}): TestClient {
  const client = createClient(url)
  const call: TestClient['call'] = (method, path, options = {}) =>
    client.call(method, path, { ...options, headers: { cookie, ...headers, ...options.headers } })
  const withJson = (method: string) => (path: string, body: unknown) =>
    call(method, path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    ...client,
    call,
    get: (path) => call('GET', path),
    delete: (path) => call('DELETE', path),
    post: withJson('POST'),
    put: withJson('PUT'),
  }
}
