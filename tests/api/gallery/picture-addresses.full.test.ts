import { beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../../server/platform/clock.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createSigned, getAddress, listAddresses, signable } from '../../support/fixtures/signed-pictures.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

const changeEvent = (event: TestEvent, body: object) => api.patch(`/api/v1/events/${event.id}`, body)

/** Photos 1 to 3 are 2,000 pixels wide; the second is hidden. */
async function createWideGallery(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, { ...signable, ...body })
  const ids: number[] = []
  for (const seed of [1, 2, 3]) {
    ids.push((await api.upload(event.id, await jpeg({ seed, width: 2000, height: 1000 }))).body.id)
  }
  const [first = 0, hidden = 0, third = 0] = ids
  await admin.patch(`/api/admin/photos/${event.id}/photos/${hidden}`, { visibility: 'hidden' })
  return { event, first, hidden, third }
}

describe('GET picture-addresses', () => {
  let gallery: Awaited<ReturnType<typeof createWideGallery>>
  beforeAll(async () => {
    gallery = await createWideGallery()
  })

  test('is 403 SIGNED_PICTURES_DISABLED by default', async () => {
    const event = await createEvent(api)
    expect((await api.get(`/api/v1/events/${event.id}`)).body.allow_signed_pictures).toBe(false)
    expectProblem(await listAddresses(api, event), 403, 'SIGNED_PICTURES_DISABLED')
    await changeEvent(event, signable)
    expect((await listAddresses(api, event)).body.pictures).toEqual([])
  })

  test('gives a page of the pictures that guests see, in upload order', async () => {
    const { event, first, third } = gallery
    const { status, headers, body } = await listAddresses(api, event, '?widths=1280,640&limit=1&page=2')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.pagination).toEqual({ page: 2, limit: 1, total: 2, pages: 2 })
    const [picture] = body.pictures
    expect(picture).toMatchObject({ photo_id: third, media_type: 'image', width: 2000, height: 1000 })
    expect(Object.keys(picture.urls)).toEqual(['640', '1280'])
    expect(picture.urls[640]).toMatch(new RegExp(`^${service.url}/pictures/${third}/640/\\d+/[\\w-]{43}$`))
    const all = (await listAddresses(api, event)).body
    expect(all.pictures.map(({ photo_id }: { photo_id: number }) => photo_id)).toEqual([first, third])
    expect(Object.keys(all.pictures[0].urls)).toEqual(['1280'])
  })

  test('gives chosen pictures in the given order, without hidden ones', async () => {
    const { event, first, hidden, third } = gallery
    const { body } = await listAddresses(api, event, `?ids=${third},${hidden},${first},${third}`)
    expect(body.pictures.map(({ photo_id }: { photo_id: number }) => photo_id)).toEqual([third, first])
    const { photo: foreign } = await createSigned(api)
    for (const id of [foreign, 999_999, 'first']) {
      expectProblem(await listAddresses(api, event, `?ids=${first},${id}`), 400, 'INVALID_PHOTO_IDS')
    }
  })

  test('rejects other widths, times and limits', async () => {
    for (const [name, values] of [
      ['widths', ['2560', '640,2560', '0640', '', '640,640,640,640']],
      ['expires_in', ['604801', '599', 'week']],
      ['limit', ['101']],
    ] as const) {
      for (const value of values) expectInvalidField(await listAddresses(api, gallery.event, `?${name}=${value}`), name)
    }
  })

  test('gives the same address below PUBLIC_URL for 5 minutes, and never one of more than 7 days', async () => {
    const clock = createMovableClock()
    const own = await serviceForTest({ edges: { clock }, environment: { PUBLIC_URL: 'https://photos.example' } })
    const event = await createEvent(own.api, signable)
    const [photo = 0] = await uploadPhotos(own.api, event.id, 1)
    const windowMs = minutes(5)
    clock.advance(windowMs - (clock.now() % windowMs))
    const get = () => getAddress(own.api, event, photo, { expiresIn: 604_800 })
    const [picture] = (await listAddresses(own.api, event)).body.pictures
    expect(picture.urls[1280]).toMatch(/^https:\/\/photos\.example\/pictures\//)
    const first = await get()
    clock.advance(windowMs - 20_000)
    expect(await get()).toBe(first)
    clock.advance(20_000)
    const next = await get()
    expect(next).not.toBe(first)
    const expiresAt = Number(next.split('/')[4]) * 1000
    expect(expiresAt - clock.now()).toBeLessThanOrEqual(days(7))
    expect(expiresAt - clock.now()).toBeGreaterThan(days(7) - windowMs)
  })

  test('requires an event that is not archived', async () => {
    const { event } = await createSigned(api)
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await listAddresses(api, event), 409, 'EVENT_ARCHIVED')
  })
})
