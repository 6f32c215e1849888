import { expect, test } from 'vitest'
import { expectProblem, expectRateLimited } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForTest } from '../../support/service/test-service.ts'

test('500 guests of one address enter, name themselves and mark; entering stores no row', {
  tags: 'nightly',
  timeout: 180_000,
}, async () => {
  const service = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const event = await createEvent(service.api)
  const [photo] = await uploadPhotos(service.api, event.id, 1)
  const countRows = () =>
    readDatabase(service, (stored) =>
      ['guests', 'feedback', 'idempotency_keys'].map((table) => stored.prepare(`select * from ${table}`).all().length),
    )
  const statuses: number[] = []
  for (let round = 0; round < 25; round++) {
    const guests = await Promise.all(Array.from({ length: 20 }, () => enterAsGuest(service, event)))
    if (round === 0) expect(countRows()).toEqual([0, 0, 0])
    const sent = guests.map(async (guest, index) => {
      const named = await guest.post(`/api/gallery/${event.slug}/guest`, { name: `Guest ${round}-${index}` })
      const liked = await guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, { feedback_type: 'like' })
      statuses.push(named.status, liked.status)
    })
    await Promise.all(sent)
  }
  expect(statuses).toEqual(Array(1000).fill(200))
  expect(countRows()).toEqual([500, 500, 0])
})

test('beyond the limit of an event and address, new guests are 429, and known ones go on', async () => {
  const environment = { RATE_LIMIT: 'on' }
  const service = await serviceForTest({ environment, edges: { maxRequests: { newGuests: 2, guestSignOuts: 1 } } })
  const [event, other] = [await createEvent(service.api), await createEvent(service.api)]
  const [photo] = await uploadPhotos(service.api, event.id, 1)
  const path = `/api/gallery/${event.slug}/guest`
  const first = await enterAsGuest(service, event)
  expect((await first.post(path, { name: 'Ana' })).status).toBe(200)
  expect((await first.post(path, { name: 'Anna' })).status).toBe(200)
  const second = await enterAsGuest(service, event)
  const feedback = `/api/gallery/${event.slug}/photos/${photo}/feedback`
  const like = { feedback_type: 'like' }
  expect((await second.post(feedback, { ...like, guest_name: 'Ben' })).status).toBe(200)

  const third = await enterAsGuest(service, event)
  expectRateLimited(await third.post(path, { name: 'Cleo' }), 3_600)
  expectRateLimited(await third.post(`/api/gallery/${event.slug}/selection`, {}), 3_600)
  expectRateLimited(await third.post(feedback, { ...like, guest_email: 'cleo@example.com' }), 3_600)
  expect((await third.post(feedback, like)).status).toBe(200)
  expect((await first.post(path, { name: 'Ana' })).status).toBe(200)
  const elsewhere = await enterAsGuest(service, other)
  expect((await elsewhere.post(`/api/gallery/${other.slug}/guest`, { name: 'Dora' })).status).toBe(200)

  // Invalid sessions and ended sessions do not count.
  const cookie = 'gallery_1=a.b.c; gallery_2=a.b.c'
  const leave = '/api/auth/gallery/logout'
  expect((await service.anonymous.post(leave, {}, { cookie })).status).toBe(200)
  expect((await second.post(leave, {})).status).toBe(200)
  expect((await second.post(leave, {})).status).toBe(200)
  expectProblem(await third.post(leave, {}), 429, 'RATE_LIMITED')
})
