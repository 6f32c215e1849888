import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { foreignForms, ownForms } from '../../support/access/form-origins.ts'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api, url } = service

async function createGuestWithLink(to = service, body: Record<string, unknown> = {}) {
  const event = await createEvent(to.api, body)
  const guest = await enterAsGuest(to, event)
  return { event, guest, ...(await createLink(guest, event)) }
}

async function createLink(guest: TestClient, { slug }: TestEvent) {
  const { status, body } = await guest.post(`/api/gallery/${slug}/guest/link`, {})
  expect(status).toBe(200)
  return { path: new URL(body.url).pathname, link: body as { url: string; expires_at: string } }
}

const html = ({ bytes }: TestResponse) => bytes.toString()
const getGuestId = async (client: { get: (path: string) => Promise<TestResponse> }, { slug }: TestEvent) =>
  (await client.get(`/api/gallery/${slug}/guest`)).body.guest.id

test('the link is absolute, at the requested origin, valid for 15 minutes and stored as a hash', async () => {
  const { event, link, path } = await createGuestWithLink()
  expect(link.url).toMatch(new RegExp(`^${url}/gallery/${event.slug}/continue/[\\w-]{43}$`))
  const remainingMs = Date.parse(link.expires_at) - Date.now()
  expect(remainingMs).toBeGreaterThan(14 * 60_000)
  expect(remainingMs).toBeLessThanOrEqual(15 * 60_000)
  const rows = JSON.stringify(readDatabase(service, (stored) => stored.prepare('select * from guest_links').all()))
  const token = path.split('/').at(-1) ?? ''
  expect(rows).toContain(createHash('sha256').update(token).digest('hex'))
  expect(rows).not.toContain(token)
})

describe('a personal link from the operator', () => {
  const createPersonalLink = (event: TestEvent, guestId: string) =>
    admin.post(`/api/admin/events/${event.id}/guests/${guestId}/link`, {})

  /** Opens the link in a new browser. */
  async function open(link: TestResponse) {
    expect(link.status).toBe(200)
    const browser = createCookieClient(url)
    const submitted = await browser.submit(new URL(link.body.url).pathname, {})
    return { browser, submitted }
  }

  test('opens a gallery with a password as a guest who gave no name, with the marks, once and for 30 days', async () => {
    const event = await createEvent(api, { require_password: true, password: 'open sesame' })
    const [photoId] = await uploadPhotos(api, event.id, 1)
    const login = { slug: event.slug, password: 'open sesame' }
    const guest = createClient(url, (await anonymous.post('/api/auth/gallery/verify', login)).body.token)
    await guest.post(`/api/gallery/${event.slug}/photos/${photoId}/feedback`, { feedback_type: 'like' })
    const guestId = await getGuestId(guest, event)
    const link = await createPersonalLink(event, guestId)
    expect((Date.parse(link.body.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    expect((await anonymous.get(new URL(link.body.url).pathname)).status).toBe(200)
    const { browser, submitted } = await open(link)
    expect([submitted.status, submitted.headers.get('location')]).toEqual([303, `/gallery/${event.slug}`])
    expect(html(await browser.get(`/gallery/${event.slug}`))).toContain('class="photo"')
    expect(await getGuestId(browser, event)).toBe(guestId)
    expect((await browser.get(`/api/gallery/${event.slug}/photos`)).body.photos[0].is_liked).toBe(true)
    expectErrorPage((await open(link)).submitted)
  })

  test('leads a merged guest to the guest that remains, also if they are merged after it was created', async () => {
    const event = await createEvent(api)
    const guests = await Promise.all([1, 2].map(() => enterAsGuest(service, event)))
    for (const guest of guests) await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana' })
    const [from = '', into] = await Promise.all(guests.map((guest) => getGuestId(guest, event)))
    const before = await createPersonalLink(event, from)
    expect((await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from, into })).status).toBe(200)
    for (const link of [before, await createPersonalLink(event, from)]) {
      expect(await getGuestId((await open(link)).browser, event)).toBe(into)
    }
  })

  test('is for guests of the event who gave something, and ends with their erasure and a new password', async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    const guestId = await getGuestId(guest, event)
    expectProblem(await createPersonalLink(event, guestId), 404, 'NOT_FOUND')
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana' })
    expectProblem(await createPersonalLink(await createEvent(api), guestId), 404, 'NOT_FOUND')
    const beforePassword = await createPersonalLink(event, guestId)
    await api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'open sesame' })
    expectErrorPage((await open(beforePassword)).submitted)
    const beforeErasure = await createPersonalLink(event, guestId)
    await admin.delete(`/api/admin/events/${event.id}/guests/${guestId}`)
    expectErrorPage((await open(beforeErasure)).submitted)
    expectProblem(await createPersonalLink(event, guestId), 404, 'NOT_FOUND')
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await createPersonalLink(event, guestId), 409, 'EVENT_ARCHIVED')
  })
})

test('the links of a customer, own and personal, end with the assignment', async () => {
  const event = await createEvent(api)
  const customer = await createCustomer(admin)
  await admin.put(assignmentPath(customer, event), {})
  const guest = await enterAsCustomer(service, await signInAsCustomer(service, customer), event.slug)
  await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana' })
  const guestId = await getGuestId(guest, event)
  const personal = await admin.post(`/api/admin/events/${event.id}/guests/${guestId}/link`, {})
  const browsers = [createCookieClient(url), createCookieClient(url)] as const
  for (const [index, path] of [(await createLink(guest, event)).path, new URL(personal.body.url).pathname].entries()) {
    expect((await browsers[index]?.submit(path, {}))?.status).toBe(303)
  }
  for (const browser of browsers) expect(await getGuestId(browser, event)).toBe(guestId)
  await admin.delete(assignmentPath(customer, event))
  for (const browser of browsers) {
    expectProblem(await browser.get(`/api/gallery/${event.slug}/photos`), 403, 'CUSTOMER_ASSIGNMENT_REVOKED')
  }
})

describe('the link to another device', () => {
  test('shows one button, works without JavaScript, and continues as the same guest with its marks', async () => {
    const { event, guest, path } = await createGuestWithLink()
    const [photoId] = await uploadPhotos(api, event.id, 1)
    await guest.post(`/api/gallery/${event.slug}/photos/${photoId}/feedback`, { feedback_type: 'like' })
    const otherBrowser = createCookieClient(url)
    const asked = await otherBrowser.get(path)
    expect(asked.status).toBe(200)
    expect(html(asked)).toContain(`<form method="post" action="${path}">`)
    expect(html(asked)).not.toContain('<script')
    expect(asked.headers.get('x-robots-tag')).toContain('noindex')
    expect(asked.headers.get('referrer-policy')).toBe('no-referrer')
    const german = await anonymous.get(path, { 'accept-language': 'de' })
    expect(html(german)).toContain('Auf diesem Gerät weitermachen')

    const submitted = await otherBrowser.submit(path, {})
    expect(submitted.status).toBe(303)
    expect(submitted.headers.get('location')).toBe(`/gallery/${event.slug}`)
    expect((await otherBrowser.get(`/gallery/${event.slug}`)).status).toBe(200)
    expect(await getGuestId(otherBrowser, event)).toBe(await getGuestId(guest, event))
    expect((await otherBrowser.get(`/api/gallery/${event.slug}/photos`)).body.photos[0].is_liked).toBe(true)
    otherBrowser.forget(`gallery_${event.id}`)
    await otherBrowser.get(`/gallery/${event.slug}/${event.share_token}`)
    expect(await getGuestId(otherBrowser, event)).toBe(await getGuestId(guest, event))
  })

  test('works once, also for simultaneous requests, and is not used up by previews of messengers', async () => {
    const { path } = await createGuestWithLink()
    for (let index = 0; index < 3; index++) {
      expect((await anonymous.get(path)).headers.getSetCookie()).toEqual([])
      await anonymous.head(path)
    }
    const submit = () => createCookieClient(url).submit(path, {})
    const answers = await Promise.all(Array.from({ length: 8 }, submit))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expectErrorPage(await submit())
    expectErrorPage(await anonymous.get(path))
  })

  test('opens only its own gallery, ends with a change of the password, and is no share link', async () => {
    const { event, path } = await createGuestWithLink()
    const other = await createEvent(api)
    const token = path.split('/').at(-1) ?? ''
    const submit = (to: string) => createCookieClient(url).submit(to, {})
    expectErrorPage(await submit(`/gallery/${other.slug}/continue/${token}`))
    expectErrorPage(await submit(`/gallery/${other.slug}/continue/${other.share_token}`))
    await api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'open sesame' })
    expectErrorPage(await submit(path))
  })

  test('ends after 15 minutes; it is a page with 404 for an archived and 410 for an expired gallery', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const { path: late } = await createGuestWithLink(timed)
    clock.advance(15 * 60_000 + 1)
    expectErrorPage(await timed.anonymous.get(late))
    expectErrorPage(await createCookieClient(timed.url).submit(late, {}))

    const archived = await createGuestWithLink(timed)
    await timed.api.post(`/api/v1/events/${archived.event.id}/archive`, {})
    const expires_at = new Date(clock.now() + 60_000).toISOString()
    const expired = await createGuestWithLink(timed, { expires_at })
    clock.advance(61_000)
    for (const [{ path }, status] of [[archived, 404] as const, [expired, 410] as const]) {
      for (const answer of [await timed.anonymous.get(path), await createCookieClient(timed.url).submit(path, {})]) {
        expect(answer.status).toBe(status)
        expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    }
  })

  test('is not used by a form on a page of another site: the page is shown again', async () => {
    const { path } = await createGuestWithLink()
    const otherBrowser = createCookieClient(url)
    for (const headers of foreignForms) {
      const foreign = await otherBrowser.submit(path, {}, headers)
      expect(foreign.status).toBe(403)
      expect(html(foreign)).toContain('<form method="post"')
      expect(html(foreign)).toContain('This form was sent from another website')
      expect(otherBrowser.jar.size).toBe(0)
    }
    for (const headers of ownForms(url)) {
      const own = await createGuestWithLink()
      expect((await createCookieClient(url).submit(own.path, {}, headers)).status).toBe(303)
    }
  })
})

test('wrong links count as failed entries, and a valid one still works', async () => {
  const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const { event, path } = await createGuestWithLink(limited)
  const wrong = `/gallery/${event.slug}/continue/${'x'.repeat(43)}`
  for (let index = 0; index < 31; index++) expectErrorPage(await createCookieClient(limited.url).submit(wrong, {}))
  const login = { slug: event.slug, token: 'wrong' }
  expectProblem(await limited.anonymous.post('/api/auth/gallery/share-login', login), 429, 'RATE_LIMITED')
  expect((await createCookieClient(limited.url).submit(path, {})).status).toBe(303)
})

function expectErrorPage(answer: TestResponse): void {
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(html(answer)).toContain('Create a new one on your first device')
  expect(html(answer)).not.toContain('<form')
  expect(answer.headers.getSetCookie()).toEqual([])
}
