import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { readClaims } from '../../support/fixtures/credentials.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import {
  createMovableClock,
  serviceForTest,
  sharedService,
  type TestService,
} from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

async function createAssignedCustomer(body: Record<string, unknown> = {}, testService: TestService = service) {
  const event = await createEvent(testService.api, body)
  const customer = await createCustomer(testService.admin)
  await testService.admin.put(assignmentPath(customer, event), {})
  return { event, customer, client: await signInAsCustomer(testService, customer) }
}

const listEvents = async (client: TestClient) => (await client.get('/api/customer/events')).body.events
const getGuestId = ({ token }: TestClient): unknown => readClaims(token).gid

describe('the galleries of a customer', () => {
  test('are listed with photo count and cover', async () => {
    const { event, client } = await createAssignedCustomer({ event_date: '2027-06-12' })
    const [first, second, third] = await uploadPhotos(api, event.id, 3)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${first}`, { visibility: 'hidden' })
    const { body } = await client.get('/api/customer/events')
    expect(body.pagination).toEqual({ page: 1, limit: 50, total: 1, pages: 1 })
    const { id, slug } = event
    const own = { id, slug, event_name: 'Ana & Ben', event_type: 'wedding', event_date: '2027-06-12' }
    const photos = { photo_count: 2, cover_photo_id: second, thumbnail_url: `/api/gallery/${slug}/thumbnail/${second}` }
    const rules = { allow_downloads: true, hidden_until_reveal: false, reveal_at: null }
    expect(body.events).toEqual([{ ...own, ...photos, ...rules, expires_at: expect.stringMatching(/Z$/) }])
    const inside = await enterAsCustomer(service, client, event.slug)
    expect((await inside.get(body.events[0].thumbnail_url)).status).toBe(200)
    await api.patch(`/api/v1/events/${event.id}`, { cover_photo_id: third })
    expect((await listEvents(client))[0].cover_photo_id).toBe(third)
  })

  test('are the assigned ones, newest first, one page per response', async () => {
    const { event, customer, client } = await createAssignedCustomer()
    const newerEvent = await createEvent(api)
    await createEvent(api)
    await admin.put(assignmentPath(customer, newerEvent), {})
    const slugs = (await listEvents(client)).map(({ slug }: { slug: string }) => slug)
    expect(slugs).toEqual([newerEvent.slug, event.slug])
    const { body } = await client.get('/api/customer/events?page=2&limit=1')
    expect(body.events.map(({ slug }: { slug: string }) => slug)).toEqual([event.slug])
    expect(body.pagination.pages).toBe(2)
  })

  test('exclude drafts, archived and expired ones', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const { event, customer, client } = await createAssignedCustomer({ expiration_days: 365 }, timed)
    const draft = await createEvent(timed.api, { is_draft: true })
    const archived = await createEvent(timed.api)
    const expiring = await createEvent(timed.api, { expires_at: new Date(clock.now() + 3_600_000).toISOString() })
    for (const one of [draft, archived, expiring]) await timed.admin.put(assignmentPath(customer, one), {})
    await timed.api.post(`/api/v1/events/${archived.id}/archive`, {})
    clock.advance(2 * 3_600_000)
    expect((await listEvents(client)).map(({ slug }: { slug: string }) => slug)).toEqual([event.slug])
    const enter = (slug: string) => client.post(`/api/customer/events/${slug}/access-token`, {})
    expectProblem(await enter(draft.slug), 404, 'NOT_FOUND')
    expectProblem(await enter(archived.slug), 404, 'NOT_FOUND')
    expectProblem(await enter('nothing'), 404, 'NOT_FOUND')
    expectProblem(await enter(expiring.slug), 410, 'GALLERY_EXPIRED')
  })

  test('reveal nothing about their photos before the reveal', async () => {
    const { event, client } = await createAssignedCustomer({ reveal_at: '2099-01-01' })
    await uploadPhotos(api, event.id, 1)
    expect(await listEvents(client)).toMatchObject([
      { photo_count: 0, cover_photo_id: null, thumbnail_url: null, hidden_until_reveal: true },
    ])
  })
})

describe('entering as a customer', () => {
  test('returns a gallery token and the cookie of the gallery, without the password of the gallery', async () => {
    const { event, client } = await createAssignedCustomer({ require_password: true, password: 'sesame-12' })
    const { status, body, headers } = await client.post(`/api/customer/events/${event.slug}/access-token`, {})
    expect(status).toBe(200)
    expect(body.event).toMatchObject({ id: event.id, slug: event.slug, requires_password: true })
    const cookie = `gallery_${event.id}=${body.token}`
    expect(headers.getSetCookie().map((one) => one.split(';')[0])).toEqual([cookie])
    expect((await service.anonymous.get(`/api/gallery/${event.slug}/photos`, { cookie })).status).toBe(200)
    const { slug } = await createEvent(api)
    const rejected = await client.post(`/api/customer/events/${slug}/access-token`, {})
    expectProblem(rejected, 403, 'CUSTOMER_ASSIGNMENT_REVOKED')
  })

  test('is one guest per event, with the name of the customer, counted as one view', async () => {
    const { event, customer, client } = await createAssignedCustomer()
    const [photo] = await uploadPhotos(api, event.id, 1)
    const first = await enterAsCustomer(service, client, event.slug)
    await first.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, { feedback_type: 'rating', rating: 4 })
    await admin.delete(assignmentPath(customer, event))
    await admin.put(assignmentPath(customer, event), {})
    const again = await enterAsCustomer(service, await signInAsCustomer(service, customer), event.slug)
    expect(getGuestId(again)).toBe(getGuestId(first))
    const { body } = await again.get(`/api/gallery/${event.slug}/photos`)
    expect(body.photos[0].my_rating).toBe(4)
    const guest = readDatabase(service, (stored) =>
      stored.prepare('select name, email from guests where id = ?').get(getGuestId(first)),
    )
    expect(guest).toEqual({ name: customer.name, email: customer.email })
    expect((await api.get(`/api/v1/events/${event.id}`)).body.total_views).toBe(1)

    const other = await createEvent(api)
    await admin.put(assignmentPath(customer, other), {})
    expect(getGuestId(await enterAsCustomer(service, client, other.slug))).not.toBe(getGuestId(first))
  })
})

describe('a customer’s gallery session is checked at every request', () => {
  /** Enters a gallery and requests each path twice, so that session, photo and thumbnail are cached in memory. */
  async function inside() {
    const { event, customer, client } = await createAssignedCustomer()
    const [photo] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsCustomer(service, client, event.slug)
    const paths = ['photos', `photo/${photo}`, `thumbnail/${photo}`, `download/${photo}`].map(
      (path) => `/api/gallery/${event.slug}/${path}`,
    )
    for (const path of [...paths, ...paths]) expect((await guest.get(path)).status).toBe(200)
    return { event, customer, guest, paths, photo }
  }

  test('withdrawing the assignment returns 403 CUSTOMER_ASSIGNMENT_REVOKED everywhere', async () => {
    const { event, customer, guest, paths, photo } = await inside()
    const stranger = await enterAsGuest(service, event)
    await admin.delete(assignmentPath(customer, event))
    for (const path of paths) expectProblem(await guest.get(path), 403, 'CUSTOMER_ASSIGNMENT_REVOKED')
    const like = await guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, { feedback_type: 'like' })
    expectProblem(like, 403, 'CUSTOMER_ASSIGNMENT_REVOKED')
    for (const path of paths) expect((await stranger.get(path)).status).toBe(200)
    await admin.put(assignmentPath(customer, event), {})
    for (const path of paths) expect((await guest.get(path)).status).toBe(200)
  })

  test('a deleted, deactivated or changed customer loses access with the next request', async () => {
    const change = (body: object) => (id: number) => admin.patch(`/api/admin/customers/${id}`, body)
    for (const [status, code, operation] of [
      [403, 'CUSTOMER_ASSIGNMENT_REVOKED', (id: number) => admin.delete(`/api/admin/customers/${id}`)],
      [403, 'CUSTOMER_ASSIGNMENT_REVOKED', change({ is_active: false })],
      [401, 'TOKEN_REVOKED', change({ password: 'another one' })],
    ] as const) {
      const { customer, guest, paths } = await inside()
      await operation(customer.id)
      for (const path of paths) expectProblem(await guest.get(path), status, code)
    }
  })

  test('when another process withdraws it, within half a second', async () => {
    const { customer, guest, paths } = await inside()
    await changeDatabase(service, (stored) =>
      stored.prepare('update customer_events set withdrawn_at = 1 where customer_id = ?').run(customer.id),
    )
    await expect.poll(async () => (await guest.get(paths[2] as string)).body?.code).toBe('CUSTOMER_ASSIGNMENT_REVOKED')
  })
})
