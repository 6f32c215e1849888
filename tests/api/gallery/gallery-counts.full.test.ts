import { describe, expect, test } from 'vitest'
import { createClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api, admin, anonymous } = service

const getCounts = async ({ id }: TestEvent) => {
  const { total_views: views, total_downloads: downloads } = (await api.get(`/api/v1/events/${id}`)).body
  return { views, downloads }
}

/** Waits until a later visit and download of another gallery are counted, so that all earlier ones are counted, too. */
async function getSettledCounts(event: TestEvent) {
  const later = await createEvent(api)
  const [photoId] = await uploadPhotos(api, later.id, 1)
  const guest = await enterAsGuest(service, later)
  await guest.get(`/api/gallery/${later.slug}/download/${photoId}`)
  await expect.poll(() => getCounts(later)).toEqual({ views: 1, downloads: 1 })
  return getCounts(event)
}

describe('total_views', () => {
  test('counts a guest at entry, and again on the first page after 30 minutes', { tags: 'database' }, async () => {
    const event = await createEvent(api)
    const guest = await enterAsGuest(service, event)
    expect(await getCounts(event)).toEqual({ views: 1, downloads: 0 })
    const load = (page: number) => guest.get(`/api/gallery/${event.slug}/photos?page=${page}`)
    for (const page of [1, 2, 1]) await load(page)
    clock.advance(29 * 60_000)
    await load(1)
    clock.advance(2 * 60_000)
    await load(2)
    expect((await getSettledCounts(event)).views).toBe(1)
    await load(1)
    expect((await getSettledCounts(event)).views).toBe(2)
  })

  test('counts entry by password and opening the link in a browser', async () => {
    const event = await createEvent(api, { require_password: true, password: 'seaside-evening' })
    await anonymous.post('/api/auth/gallery/verify', { slug: event.slug, password: 'wrong-password' })
    await anonymous.post('/api/auth/gallery/verify', { slug: event.slug, password: 'seaside-evening' })
    expect((await getCounts(event)).views).toBe(1)
    const open = await createEvent(api)
    await anonymous.get(new URL(open.share_url).pathname)
    expect((await getSettledCounts(open)).views).toBe(1)
  })

  test('counts neither operators nor API tokens, and each of many simultaneous guests', async () => {
    const event = await createEvent(api)
    await admin.get(`/api/gallery/${event.slug}/photos`)
    await api.get(`/api/v1/events/${event.id}/photos`)
    expect(await getSettledCounts(event)).toEqual({ views: 0, downloads: 0 })
    await Promise.all(Array.from({ length: 40 }, () => enterAsGuest(service, event)))
    expect((await getSettledCounts(event)).views).toBe(40)
  })
})

test('no guest is created, and nothing is counted, by a HEAD of the link or list, or by a preview program', async () => {
  const preview = { 'user-agent': 'WhatsApp/2.23.20.0 A' }
  const event = await createEvent(api)
  await uploadPhotos(api, event.id, 1)
  const link = new URL(event.share_url).pathname
  const head = await anonymous.head(link)
  const seen = await anonymous.get(link, preview)
  expect([head.status, seen.status]).toEqual([200, 200])
  expect(seen.bytes.toString()).toContain('og:image')
  expect([...head.headers.getSetCookie(), ...seen.headers.getSetCookie()]).toEqual([])
  expect((await getSettledCounts(event)).views).toBe(0)

  const guest = await enterAsGuest(service, event)
  clock.advance(31 * 60_000)
  await guest.head(`/api/gallery/${event.slug}/photos`)
  expect((await getSettledCounts(event)).views).toBe(1)
})

test('total_downloads counts only a GET that is complete or begins at byte 0', async () => {
  const event = await createEvent(api)
  const [photoId] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  const path = `/api/gallery/${event.slug}/download/${photoId}`
  const { headers } = await guest.get(path)
  expect((await getSettledCounts(event)).downloads).toBe(1)
  await guest.get(path, { range: 'bytes=0-9' })
  expect((await getSettledCounts(event)).downloads).toBe(2)

  await guest.get(path, { range: 'bytes=10-19' })
  await guest.get(path, { 'if-none-match': headers.get('etag') ?? '' })
  await guest.head(path)
  await guest.get(`/api/gallery/${event.slug}/photo/${photoId}`)
  await admin.get(path)
  await createClient(service.url).get(path)
  await api.get(`/api/v1/events/${event.id}/photos/${photoId}/download`)
  expect((await getSettledCounts(event)).downloads).toBe(2)
})
