import { beforeEach, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { admin, api, url } = service

let event: TestEvent
let ids: number[]
let phone: Device
let laptop: Device
beforeEach(async () => {
  event = await createEvent(api)
  ids = await uploadPhotos(api, event.id, 3)
  phone = await enter()
  laptop = await enter()
})

type Device = { client: TestClient; id: string; cookie: string }

async function enter(): Promise<Device> {
  const browser = createCookieClient(url)
  const { body } = await browser.post('/api/auth/gallery/share-login', { slug: event.slug, token: event.share_token })
  const client = createClient(url, body.token)
  const { guest } = (await client.get(`/api/gallery/${event.slug}/guest`)).body
  return { client, id: guest.id, cookie: browser.jar.get(`guest_${event.id}`) ?? '' }
}

/** Advances the clock first, so that this feedback is newer than all other feedback. */
async function give({ client }: Device, photo: number, body: object) {
  clock.advance(10)
  const answer = await client.post(`/api/gallery/${event.slug}/photos/${ids[photo]}/feedback`, body)
  expect(answer.status).toBe(200)
}
const rate = (device: Device, photo: number, rating: number) => give(device, photo, { feedback_type: 'rating', rating })
const label = (device: Device, photo: number, color_label: string) =>
  give(device, photo, { feedback_type: 'color_label', color_label })
const like = (device: Device, photo: number) => give(device, photo, { feedback_type: 'like' })

const name = ({ client }: Device, body: object) => client.post(`/api/gallery/${event.slug}/guest`, body)
const guests = async () => (await admin.get(`/api/admin/events/${event.id}/guests`)).body.guests
const merge = (from: Device, into: Device) =>
  admin.post(`/api/admin/events/${event.id}/guests/merge`, { from: from.id, into: into.id })
const photos = async ({ client }: Device) => {
  const { photos } = (await client.get(`/api/gallery/${event.slug}/photos`)).body
  return ids.map((id) => photos.find((photo: { id: number }) => photo.id === id))
}

const listCounters = () =>
  readDatabase(service, (stored) =>
    stored.prepare('select * from photo_marks where event_id = ? order by photo_id').all(event.id),
  )
const computeCounters = () =>
  readDatabase(service, (stored) =>
    stored
      .prepare(
        `select photo_id, count(distinct guest_id) as feedback_count, coalesce(sum(rating), 0) as rating_sum,
          count(rating) as rating_count, count(*) filter (where kind = 'like') as like_count,
          count(*) filter (where color_label = 'red') as red, count(*) filter (where color_label = 'green') as green
        from feedback where event_id = ? and is_visible = 1 group by photo_id order by photo_id`,
      )
      .all(event.id),
  )

describe('the guests of an event', () => {
  test('are listed with name, address, mark counts and last visit, the latest first', async () => {
    await rate(phone, 0, 4)
    await rate(phone, 1, 5)
    await like(phone, 0)
    await name(laptop, { name: 'Zoë', email: 'zoe@example.com' })
    await label(laptop, 0, 'green')
    const { status, body } = await admin.get(`/api/admin/events/${event.id}/guests`)
    expect(status).toBe(200)
    const none = { rating_count: 0, color_label_count: 0, like_count: 0, favorite_count: 0, comment_count: 0 }
    const times = { first_seen_at: expect.any(String), last_seen_at: expect.any(String), selection_count: 0 }
    expect(body.guests).toEqual([
      { id: laptop.id, name: 'Zoë', email: 'zoe@example.com', ...none, color_label_count: 1, ...times },
      { id: phone.id, name: null, email: null, ...none, rating_count: 2, like_count: 1, ...times },
    ])
    for (const { first_seen_at, last_seen_at } of body.guests) {
      expect(Date.parse(first_seen_at)).toBeLessThan(Date.parse(last_seen_at))
    }
    expect(body.pagination).toEqual({ page: 1, limit: 50, total: 2, pages: 1 })
  })

  test('are paged, and belong to one event', { tags: 'database' }, async () => {
    await like(phone, 0)
    await like(laptop, 0)
    const page = async (number: number) =>
      (await admin.get(`/api/admin/events/${event.id}/guests?limit=1&page=${number}`)).body
    const found = [await page(1), await page(2), await page(3)]
    expect(found.map(({ guests }) => guests.map(({ id }: Device) => id))).toEqual([[laptop.id], [phone.id], []])
    expect(found[0].pagination).toEqual({ page: 1, limit: 1, total: 2, pages: 2 })
    const other = await createEvent(api)
    expect((await admin.get(`/api/admin/events/${other.id}/guests`)).body.guests).toEqual([])
  })
})

describe('merging two guests', () => {
  test('moves the marks and keeps the newer of two of a kind on a photo; the counters equal a recount', {
    tags: 'database',
  }, async () => {
    await rate(phone, 0, 2)
    await rate(laptop, 0, 5)
    await label(laptop, 0, 'red')
    await label(phone, 0, 'green')
    await like(phone, 0)
    await like(laptop, 0)
    await rate(phone, 1, 3)
    await rate(laptop, 2, 1)
    const third = await enter()
    await rate(third, 0, 1)
    const { status, body } = await merge(phone, laptop)
    expect(status).toBe(200)
    expect(body.guest.id).toBe(laptop.id)
    expect(await photos(laptop)).toMatchObject([
      { my_rating: 5, my_color_label: 'green', is_liked: true, feedback_count: 2, like_count: 1, average_rating: 3 },
      { my_rating: 3, feedback_count: 1 },
      { my_rating: 1, feedback_count: 1 },
    ])
    expect(listCounters()).toMatchObject(computeCounters() as object[])
    expect((await guests()).map(({ id }: Device) => id).sort()).toEqual([laptop.id, third.id].sort())
  })

  test('lets the sessions, tokens and cookies of the merged guest act as the remaining one', async () => {
    await like(phone, 0)
    await like(laptop, 1)
    const { token } = (await name(phone, { name: 'Zoë' })).body
    // This request caches the guest as unmerged, and the merge must invalidate that cache entry.
    await photos(phone)
    await merge(phone, laptop)
    expect((await photos(phone)).map(({ is_liked }: { is_liked: boolean }) => is_liked)).toEqual([true, true, false])
    await rate(phone, 2, 4)
    expect((await photos(laptop))[2].my_rating).toBe(4)

    const loadGuest = async (client: TestClient, headers = {}) =>
      (await client.get(`/api/gallery/${event.slug}/guest`, headers)).body.guest.id
    expect(await loadGuest((await enter()).client, { 'x-guest-token': token })).toBe(laptop.id)
    const browser = createCookieClient(url, { [`guest_${event.id}`]: phone.cookie })
    await browser.get(`/gallery/${event.slug}/${event.share_token}`)
    const { guest } = (await browser.get(`/api/gallery/${event.slug}/guest`)).body
    expect(guest).toMatchObject({ id: laptop.id, name: 'Zoë' })
  })

  test('includes guests who were merged before', async () => {
    const tablet = await enter()
    await like(phone, 0)
    await like(laptop, 1)
    await like(tablet, 2)
    await merge(phone, laptop)
    await merge(laptop, tablet)
    for (const device of [phone, laptop, tablet]) {
      expect((await photos(device)).every(({ is_liked }: { is_liked: boolean }) => is_liked)).toBe(true)
    }
    expect((await guests()).map(({ id }: Device) => id)).toEqual([tablet.id])
  })

  test('keeps the existing name, adds missing values, and moves every comment, approved or not', async () => {
    await name(phone, { name: 'Old', email: 'zoe@example.com' })
    await name(laptop, { name: 'Zoë' })
    for (const [device, comment_text] of [
      [phone, 'one'] as const,
      [laptop, 'two'] as const,
      [phone, 'three'] as const,
    ]) {
      await give(device, 0, { feedback_type: 'comment', comment_text })
    }
    for (const device of [phone, laptop]) await like(device, 0)
    const { body } = await merge(phone, laptop)
    expect(body.guest).toEqual({ id: laptop.id, name: 'Zoë', email: 'zoe@example.com' })
    expect(await guests()).toMatchObject([{ id: laptop.id, comment_count: 3 }])
    // Comments that wait for approval do not count with the photo.
    expect(listCounters()).toMatchObject([{ like_count: 1, comment_count: 0, feedback_count: 1 }])
  })

  test('moves more photos than one batch', { tags: 'nightly' }, async () => {
    await changeDatabase(service, (stored) => {
      copyRow(stored, 'photos', ids[0], 450, { filename: "n.value || '.jpg'" })
      const insert = stored.prepare(
        `insert into feedback (event_id, photo_id, guest_id, kind, is_visible, created_at, updated_at)
         select event_id, id, ?, 'like', 1, ?, ? from photos where event_id = ?`,
      )
      for (const { id } of [phone, laptop]) insert.run(id, clock.now(), clock.now(), event.id)
    })
    expect((await merge(phone, laptop)).status).toBe(200)
    const [guest, ...others] = await guests()
    expect(guest).toMatchObject({ id: laptop.id, like_count: 453 })
    expect(others).toEqual([])
  })

  test('is rejected for unknown guests, the same guest twice, a merged guest and an archived event', async () => {
    await like(phone, 0)
    await like(laptop, 0)
    const third = await enter()
    await like(third, 0)
    const unknown = { ...phone, id: 'nobody' }
    for (const [from, into] of [[phone, unknown] as const, [unknown, phone] as const]) {
      expectProblem(await merge(from, into), 404, 'NOT_FOUND')
    }
    expectInvalidField(await merge(phone, phone), 'into')
    const other = await createEvent(api)
    const body = { from: phone.id, into: laptop.id }
    expectProblem(await admin.post(`/api/admin/events/${other.id}/guests/merge`, body), 404, 'NOT_FOUND')
    await merge(phone, laptop)
    expectProblem(await merge(phone, laptop), 404, 'NOT_FOUND')
    expectProblem(await merge(laptop, phone), 404, 'NOT_FOUND')
    const before = await guests()
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await merge(third, laptop), 409, 'EVENT_ARCHIVED')
    expect(await guests()).toEqual(before)
  })
})

test('control characters and line breaks are removed from a name', async () => {
  await name(phone, { name: ' Ana\r\nBcc:\u202e x\u0007 ' })
  expect((await guests()).map((guest: { name: string }) => guest.name)).toEqual(['Ana Bcc: x'])
  expectInvalidField(await name(laptop, { name: '\u202e\n' }), 'name')
})
