import { beforeEach, describe, expect, test, vi } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const dayMs = 86_400_000
const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { anonymous, api, url } = service
const admin = () => createClient(url, service.admin.token)

let event: TestEvent
let photoId: number
let guest: TestClient
beforeEach(async () => {
  event = await createEvent(api, { expiration_days: 365 })
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
  guest = await enterAsGuest(service, event)
  // These requests fill all caches before the state changes.
  for (let round = 0; round < 3; round++) await Promise.all(mediaPaths().map((path) => guest.get(path)))
})

const mediaPaths = () =>
  ['thumbnail', 'photo', 'download'].map((route) => `/api/gallery/${event.slug}/${route}/${photoId}`)
const allPaths = () => [`/api/gallery/${event.slug}/photos`, ...mediaPaths()]
const setEventColumn = (column: string, value: unknown) =>
  changeDatabase(service, (stored) =>
    stored.prepare(`update events set ${column} = ? where id = ?`).run(value, event.id),
  )

/** Sends the request without a credential, as a guest, with an invalid token and with an API token. */
const requestAsEachCaller = (path: string): Promise<TestResponse[]> =>
  Promise.all([anonymous, guest, createClient(url, 'garbage'), api].map((client) => client.get(path)))

describe.each([
  ['a draft', 'is_draft'],
  ['an archived gallery', 'is_archived'],
])('%s', (_name, column) => {
  beforeEach(async () => {
    await setEventColumn(column, 1)
    await vi.waitFor(
      async () => expect((await anonymous.get(`/api/gallery/${event.slug}/info`)).status).toBe(404),
      60_000,
    )
  })

  test('returns the same 404 as an unknown one, on every route and with any credential', async () => {
    const unknown = await anonymous.get('/api/gallery/nothing/photos')
    expectProblem(unknown, 404, 'NOT_FOUND')
    for (const path of [...allPaths(), `/api/gallery/${event.slug}/info`]) {
      for (const answer of await requestAsEachCaller(path)) {
        expectProblem(answer, 404, 'NOT_FOUND')
        expect(answer.body).toEqual(unknown.body)
      }
    }
  })

  test('cannot be entered: share-login and the page return 404', async () => {
    const login = { slug: event.slug, token: event.share_token }
    expectProblem(await anonymous.post('/api/auth/gallery/share-login', login), 404, 'NOT_FOUND')
    const page = await anonymous.get(`/gallery/${event.slug}/${event.share_token}`)
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  })

  test('is open to its owner', async () => {
    expect((await admin().get(`/api/gallery/${event.slug}/info`)).status).toBe(200)
    expect((await admin().get(`/api/gallery/${event.slug}/photos`)).body.photos).toHaveLength(1)
    expect((await admin().get(`/api/gallery/${event.slug}/thumbnail/${photoId}`)).status).toBe(200)
  })
})

test('a guest’s write just before the archiving is noticed returns 404 as well', async () => {
  const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
  const rate = () => guest.post(path, { feedback_type: 'rating', rating: 4 })
  expect((await rate()).status).toBe(200)
  // The caches of the service learn of this change later; the transaction of the write sees the change at once.
  await setEventColumn('is_archived', 1)
  const answers = await Promise.all([rate(), rate(), rate()])
  for (const answer of answers) expectProblem(answer, 404, 'NOT_FOUND')
})

test('the owner cannot download media of an archived event either: 409 EVENT_ARCHIVED', async () => {
  await setEventColumn('is_archived', 1)
  await vi.waitFor(async () => {
    expectProblem(await admin().get(`/api/gallery/${event.slug}/download/${photoId}`), 409, 'EVENT_ARCHIVED')
  }, 60_000)
})

describe('an expired gallery', () => {
  beforeEach(async () => {
    await setEventColumn('expires_at', clock.now() + dayMs / 2)
    await vi.waitFor(async () => {
      const { body } = await anonymous.get(`/api/gallery/${event.slug}/info`)
      expect(Date.parse(body.expires_at)).toBeLessThan(clock.now() + dayMs)
    }, 60_000)
    await Promise.all(mediaPaths().map((path) => guest.get(path)))
    clock.advance(dayMs / 2 - 2_000)
    for (const path of allPaths()) expect((await guest.get(path)).status).toBe(200)
    clock.advance(2_001)
  })

  test('returns 410 on every route, with any credential, from the exact millisecond on', async () => {
    for (const path of allPaths()) {
      for (const answer of await requestAsEachCaller(path)) expectProblem(answer, 410, 'GALLERY_EXPIRED')
    }
  })

  test('still returns info, as expired and no longer active', async () => {
    const { status, body } = await anonymous.get(`/api/gallery/${event.slug}/info`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ is_expired: true, is_active: false })
  })

  test('cannot be entered', async () => {
    const login = { slug: event.slug, token: event.share_token }
    expectProblem(await anonymous.post('/api/auth/gallery/share-login', login), 410, 'GALLERY_EXPIRED')
    const verify = { slug: event.slug, password: 'anything' }
    expectProblem(await anonymous.post('/api/auth/gallery/verify', verify), 410, 'GALLERY_EXPIRED')
    const page = await anonymous.get(`/gallery/${event.slug}/${event.share_token}`)
    expect(page.status).toBe(410)
    expect(page.bytes.toString()).toContain('Ask your photographer')
    const { body } = await anonymous.get(`/api/gallery/${event.slug}/info`)
    expect(page.bytes.toString()).toMatch(new RegExp(`<h1[^>]*>${body.event_name.replace('&', '&#38;')}</h1>`))
  })
})

describe('before reveal_at', () => {
  test('there are no photos, no categories and no media; afterwards there are', async () => {
    const reveal_at = new Date(clock.now() + dayMs).toISOString()
    event = await createEvent(api, { reveal_at, expiration_days: 365 })
    photoId = (await uploadPhotos(api, event.id, 1))[0] as number
    guest = await enterAsGuest(service, event)
    const before = await guest.get(`/api/gallery/${event.slug}/photos`)
    expect(before.body).toMatchObject({ photos: [], categories: [], hidden_until_reveal: true })
    for (const path of mediaPaths()) expectProblem(await guest.get(path), 404, 'NOT_FOUND')
    const info = (await anonymous.get(`/api/gallery/${event.slug}/info`)).body
    expect(info).toMatchObject({ hidden_until_reveal: true, reveal_at })

    clock.advance(dayMs + 1)
    guest = await enterAsGuest(service, event)
    const after = await guest.get(`/api/gallery/${event.slug}/photos`)
    expect(after.body.photos).toHaveLength(1)
    expect(after.body.hidden_until_reveal).toBe(false)
    for (const path of mediaPaths()) expect((await guest.get(path)).status).toBe(200)
  })
})
