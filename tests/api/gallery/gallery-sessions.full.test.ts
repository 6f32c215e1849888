import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
let owner: Account
let event: TestEvent
let ids: [number, number]
beforeAll(async () => {
  owner = await createAccount(service, 'admin')
  event = await createEvent(owner.api, { is_draft: true, allow_downloads: false, reveal_at: '2999-01-01' })
  ids = (await uploadPhotos(owner.api, event.id, 2)) as [number, number]
  await owner.admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
})

const list = () => `/api/gallery/${event.slug}/photos`
const media = () => ['photo', 'thumbnail', 'download'].map((route) => `/api/gallery/${event.slug}/${route}/${ids[0]}`)

test('an owner with photos.view sees hidden and unrevealed photos of a draft, and is not counted', async () => {
  const { body } = await owner.admin.get(list())
  expect(body.photos.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed())
  for (const path of media()) expect((await owner.admin.get(path)).status).toBe(200)
  const totals = { total_views: 0, total_downloads: 0 }
  expect((await owner.api.get(`/api/v1/events/${event.id}`)).body).toMatchObject(totals)
})

describe('the admin cookie counts only if the operator view is requested', () => {
  const cookie = () => ({ cookie: `admin_token=${owner.admin.token}` })

  test('by ?as=operator or by X-Operator-View: 1, and by nothing else', async () => {
    for (const path of [list(), ...media()]) {
      expectProblem(await anonymous.get(path, cookie()), 404, 'NOT_FOUND')
      expect((await anonymous.get(`${path}?as=operator`, cookie())).status).toBe(200)
      expect((await anonymous.get(path, { ...cookie(), 'x-operator-view': '1' })).status).toBe(200)
    }
    for (const query of ['?as=admin', '?as=', '?operator=1', '?as=operator2']) {
      expectProblem(await anonymous.get(list() + query, cookie()), 404, 'NOT_FOUND')
    }
    expectProblem(await anonymous.get(list(), { ...cookie(), 'x-operator-view': '0' }), 404, 'NOT_FOUND')
  })

  test('and only without a cookie of the gallery', async () => {
    const live = await createEvent(owner.api)
    const [photoId] = await uploadPhotos(owner.api, live.id, 1)
    await owner.admin.patch(`/api/admin/photos/${live.id}/photos/${photoId}`, { visibility: 'hidden' })
    const guest = await enterAsGuest(service, live)
    const both = { cookie: `admin_token=${owner.admin.token}; gallery_${live.id}=${guest.token}` }
    const seen = await anonymous.get(`/api/gallery/${live.slug}/photos?as=operator`, both)
    expect(seen.body.photos).toEqual([])
    expectProblem(await anonymous.get(`/api/gallery/${live.slug}/photo/${photoId}?as=operator`, both), 404, 'NOT_FOUND')
  })
})

test('a revoked session has no access', async () => {
  const { admin, api } = await createAccount(service, 'admin')
  const draft = await createEvent(api, { is_draft: true })
  const path = `/api/gallery/${draft.slug}/photos`
  expect((await admin.get(path)).status).toBe(200)
  await admin.post('/api/auth/logout', {})
  expectProblem(await createClient(service.url, admin.token).get(path), 404, 'NOT_FOUND')
})

const resolve = (identifier: string, client = anonymous) => client.get(`/api/gallery/resolve/${identifier}`)
const sessionPath = ({ slug }: TestEvent) => `/api/gallery/${slug}/session`

describe('resolve', () => {
  test('finds a gallery by its slug and by its share token, and creates no session', async () => {
    const open = await createEvent(api)
    const locked = await createEvent(api, { require_password: true, password: 'open sesame' })
    for (const event of [open, locked]) {
      const { slug, share_token } = event
      for (const identifier of [slug, share_token]) {
        const { status, body, headers } = await resolve(identifier)
        expect([status, body]).toEqual([200, { slug, requires_password: event === locked }])
        expect(headers.getSetCookie()).toEqual([])
      }
      expectProblem(await anonymous.get(sessionPath(event)), 401, 'NO_TOKEN')
    }
  })

  test('returns the same 404 for an unknown, draft or archived gallery', async () => {
    const draft = await createEvent(api, { is_draft: true })
    const archived = await createEvent(api)
    await api.post(`/api/v1/events/${archived.id}/archive`, {})
    const events = [draft, archived].flatMap(({ slug, share_token }) => [slug, share_token])
    const unknown = await resolve('nothing')
    for (const identifier of [...events, 'nothing', draft.share_token.slice(1), `${archived.share_token}x`, '%20']) {
      const answer = await resolve(identifier)
      expectProblem(answer, 404, 'NOT_FOUND')
      expect(answer.body).toEqual(unknown.body)
    }
    for (const { slug, share_token } of [draft, archived]) {
      for (const identifier of [slug, share_token]) expect((await resolve(identifier, admin)).status).toBe(200)
      const { admin: stranger } = await createAccount(service, 'admin')
      expectProblem(await resolve(slug, stranger), 404, 'NOT_FOUND')
    }
  })

  test('does not accept the link from before a password change', async () => {
    const event = await createEvent(api)
    await api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'open sesame' })
    expectProblem(await resolve(event.share_token), 404, 'NOT_FOUND')
    expect((await resolve(event.slug)).body.requires_password).toBe(true)
  })
})

describe('session', () => {
  test('returns the guest, the expiry and the event', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë' })
    const { status, body } = await guest.get(sessionPath(event))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      kind: 'guest',
      guest: { name: 'Zoë', email: null },
      event: { event_name: 'Ana & Ben' },
    })
    const remainingMs = Date.parse(body.expires_at) - Date.now()
    expect(remainingMs).toBeGreaterThan(24 * 3_600_000 - 60_000)
    expect(remainingMs).toBeLessThanOrEqual(24 * 3_600_000)
  })

  test('returns the kind operator to an owner, in every state', async () => {
    const draft = await createEvent(api, { is_draft: true })
    const { status, body } = await admin.get(sessionPath(draft))
    expect(status).toBe(200)
    expect(body).toMatchObject({ kind: 'operator', guest: null, expires_at: expect.any(String) })
  })
})
