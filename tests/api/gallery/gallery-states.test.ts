import { beforeEach, describe, expect, test, vi } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const dayMs = 86_400_000
const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { admin, anonymous, api, url } = service

let event: TestEvent
let photoId: number
let guest: TestClient
beforeEach(() => openEvent())

async function openEvent(body: object = {}) {
  event = await createEvent(api, { expiration_days: 365, ...body })
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
  guest = await enterAsGuest(service, event)
}

const mediaPaths = () =>
  ['thumbnail', 'photo', 'download'].map((route) => `/api/gallery/${event.slug}/${route}/${photoId}`)
const allPaths = () => [`/api/gallery/${event.slug}/photos`, ...mediaPaths()]
/** Fills all caches before the state changes. */
const warmCaches = async () => {
  for (let round = 0; round < 3; round++) {
    for (const path of allPaths()) expect((await guest.get(path)).status).toBe(200)
  }
}
const setEventColumn = (column: string, value: unknown) =>
  changeDatabase(service, (stored) =>
    stored.prepare(`update events set ${column} = ? where id = ?`).run(value, event.id),
  )
const getInfo = () => anonymous.get(`/api/gallery/${event.slug}/info`)
const getPage = () => anonymous.get(`/gallery/${event.slug}/${event.share_token}`)
const shareLogin = () => anonymous.post('/api/auth/gallery/share-login', { slug: event.slug, token: event.share_token })

/** Sends the request without a credential, as a guest, with an invalid token and with an API token. */
const requestAsEachCaller = (path: string): Promise<TestResponse[]> =>
  Promise.all([anonymous, guest, createClient(url, 'garbage'), api].map((client) => client.get(path)))

describe.each([
  ['a draft', 'is_draft'],
  ['an archived gallery', 'is_archived'],
])('%s', (_name, column) => {
  test('is the same 404 as an unknown one, with any credential, cannot be entered, and is open to its owner', async () => {
    await warmCaches()
    await setEventColumn(column, 1)
    await vi.waitFor(async () => expect((await getInfo()).status).toBe(404), 60_000)
    const unknown = await anonymous.get('/api/gallery/nothing/photos')
    expectProblem(unknown, 404, 'NOT_FOUND')
    for (const path of [...allPaths(), `/api/gallery/${event.slug}/info`]) {
      for (const answer of await requestAsEachCaller(path)) {
        expectProblem(answer, 404, 'NOT_FOUND')
        expect(answer.body).toEqual(unknown.body)
      }
    }
    expectProblem(await shareLogin(), 404, 'NOT_FOUND')
    const page = await getPage()
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    for (const path of [`/api/gallery/${event.slug}/info`, ...allPaths().slice(0, 2)]) {
      expect((await admin.get(path)).status).toBe(200)
    }
  })
})

test('a guest’s write just before the archiving is noticed returns 404 as well', async () => {
  const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
  const rate = () => guest.post(path, { feedback_type: 'rating', rating: 4 })
  expect((await rate()).status).toBe(200)
  // The caches of the service learn of this change later; the transaction of the write sees the change at once.
  await setEventColumn('is_archived', 1)
  for (const answer of await Promise.all([rate(), rate(), rate()])) expectProblem(answer, 404, 'NOT_FOUND')
})

test('an expired gallery is 410 with any credential from the exact millisecond on, and cannot be entered', async () => {
  await setEventColumn('expires_at', clock.now() + dayMs / 2)
  await vi.waitFor(async () => {
    expect(Date.parse((await getInfo()).body.expires_at)).toBeLessThan(clock.now() + dayMs)
  }, 60_000)
  clock.advance(dayMs / 2 - 2_000)
  await warmCaches()
  clock.advance(2_001)
  for (const path of allPaths()) {
    for (const answer of await requestAsEachCaller(path)) expectProblem(answer, 410, 'GALLERY_EXPIRED')
  }
  expectProblem(await shareLogin(), 410, 'GALLERY_EXPIRED')
  for (const identifier of [event.slug, event.share_token]) {
    expectProblem(await anonymous.get(`/api/gallery/resolve/${identifier}`), 410, 'GALLERY_EXPIRED')
  }
  const verify = { slug: event.slug, password: 'anything' }
  expectProblem(await anonymous.post('/api/auth/gallery/verify', verify), 410, 'GALLERY_EXPIRED')
  const info = await getInfo()
  expect([info.status, info.body.is_expired, info.body.is_active]).toEqual([200, true, false])
  const page = await getPage()
  expect(page.status).toBe(410)
  expect(page.bytes.toString()).toContain('Ask your photographer')
  expect(page.bytes.toString()).toMatch(/<h1[^>]*>Ana &#38; Ben<\/h1>/)
})

test('before reveal_at there are no photos, no categories and no media; afterwards there are', async () => {
  const reveal_at = new Date(clock.now() + dayMs).toISOString()
  await openEvent({ reveal_at })
  const { body } = await guest.get(`/api/gallery/${event.slug}/photos`)
  expect(body).toMatchObject({ photos: [], categories: [], hidden_until_reveal: true })
  for (const path of mediaPaths()) expectProblem(await guest.get(path), 404, 'NOT_FOUND')
  expect((await getInfo()).body).toMatchObject({ hidden_until_reveal: true, reveal_at })

  clock.advance(dayMs + 1)
  guest = await enterAsGuest(service, event)
  const after = await guest.get(`/api/gallery/${event.slug}/photos`)
  expect(after.body.photos).toHaveLength(1)
  expect(after.body.hidden_until_reveal).toBe(false)
  await warmCaches()
})

test('a gallery token is TOKEN_EXPIRED after 24 hours, although it was cached', async () => {
  await warmCaches()
  clock.advance(dayMs + 1_000)
  for (const path of allPaths()) expectProblem(await guest.get(path), 401, 'TOKEN_EXPIRED')
})
