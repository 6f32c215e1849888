import { pino } from 'pino'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { days, minutes } from '../../../server/platform/time/clock.ts'
import { expectInvalidField, expectProblem, expectRateLimited } from '../../support/clients/problems.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { createSigned, getAddress, listAddresses, signable } from '../../support/fixtures/signed-pictures.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
const webp = { accept: 'image/avif,image/webp,*/*;q=0.8' }

/** Uploads a black photo of 2,000 × 1,000 pixels. */
async function createWidePhoto(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, { ...signable, ...body })
  const bytes = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer()
  return { event, photo: (await api.upload(event.id, Buffer.from(bytes))).body.id as number }
}

describe('a signed address', () => {
  test('shows a picture of its width, WebP or JPEG by Accept, to other sites without CORS', async () => {
    const { event, photo } = await createWidePhoto()
    for (const [width, headers, format] of [
      [640, {}, 'jpeg'],
      [1920, webp, 'webp'],
    ] as const) {
      const path = await getAddress(api, event, photo, { width })
      const { status, headers: sent, bytes } = await anonymous.get(path, { ...headers, origin: 'https://site.example' })
      expect(status).toBe(200)
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height: width / 2 })
      expect(Object.fromEntries(sent)).toMatchObject({
        'content-type': `image/${format}`,
        vary: 'Accept',
        'cache-control': 'public, max-age=300, must-revalidate',
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        etag: expect.stringMatching(/^"\w{64}"$/),
      })
      for (const name of ['access-control-allow-origin', 'set-cookie', 'content-disposition', 'last-modified']) {
        expect([name, sent.get(name)]).toEqual([name, null])
      }
    }
  })

  test('supports 304, HEAD and ranges', async () => {
    const { path } = await createSigned(api)
    const full = await anonymous.get(path)
    const etag = full.headers.get('etag') ?? ''
    const unchanged = await anonymous.get(path, { 'if-none-match': etag })
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0])
    expect(unchanged.headers.get('cache-control')).toBe('public, max-age=300, must-revalidate')
    const head = await anonymous.head(path)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(full.bytes.length)])
    const part = await anonymous.get(path, { range: 'bytes=5-9', 'if-range': etag })
    expect(part.status).toBe(206)
    expect(part.bytes.equals(full.bytes.subarray(5, 10))).toBe(true)
    expectProblem(await anonymous.get(path, { range: 'bytes=99999999-' }), 416, 'RANGE_NOT_SATISFIABLE')
    expectProblem(await anonymous.post(path, {}), 405, 'METHOD_NOT_ALLOWED')
  })

  test('shows what guests get: with the watermark and within the size limit', async () => {
    const { event, photo } = await createWidePhoto({ watermark_downloads: true, download_max_px: 800 })
    const guest = await enterAsGuest(service, event)
    const path = await getAddress(api, event, photo, { width: 1920 })
    const seen = await guest.get(`/api/gallery/${event.slug}/photo/${photo}?w=1920`)
    for (const client of [anonymous, guest, admin, api]) {
      expect((await client.get(path)).bytes.equals(seen.bytes)).toBe(true)
    }
    expect(await sharp(seen.bytes).metadata()).toMatchObject({ width: 800 })
    expect((await sharp(seen.bytes).stats()).channels[0]?.max).toBeGreaterThan(40)
  })

  test('is 503 PHOTO_PROCESSING with Retry-After while the picture is made', async () => {
    const { photo, path } = await createSigned(api)
    await changeDatabase(service, (stored) =>
      stored
        .prepare("update photos set media_type = 'video', processing_status = 'processing' where id = ?")
        .run(photo),
    )
    const answer = await anonymous.get(path)
    expectProblem(answer, 503, 'PHOTO_PROCESSING')
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

test('wrong signatures are limited per address, valid addresses are not', async () => {
  const own = await serviceForTest({ environment: { RATE_LIMIT: 'on' }, edges: { maxRequests: { forgedPictures: 3 } } })
  const event = await createEvent(own.api, signable)
  const [photo = 0] = await uploadPhotos(own.api, event.id, 1)
  const path = await getAddress(own.api, event, photo)
  const forged = path.slice(0, -43) + 'A'.repeat(43)
  for (let round = 0; round < 3; round++) expectProblem(await own.anonymous.get(forged), 404, 'NOT_FOUND')
  expectRateLimited(await own.anonymous.get(forged), 60)
  for (let round = 0; round < 10; round++) expect((await own.anonymous.get(path)).status).toBe(200)
  expectProblem(await own.anonymous.get(path.replace('/640/', '/641/')), 404, 'NOT_FOUND')
})

test('the log has the pattern of the path instead of the signature', async () => {
  const { path } = await createSigned(api)
  const forged = `${path.slice(0, -43)}${'A'.repeat(43)}`
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  await withAppContext(service, async (ctx) => {
    const { http } = await createApp({ ...ctx, log })
    const statuses: number[] = []
    for (const url of [path, forged, `${path}/more`, path.slice(1)]) {
      statuses.push((await http.inject({ url })).statusCode)
    }
    await http.close()
    expect(statuses).toEqual([200, 404, 404, 200])
  })
  expect(lines.filter((line) => line.includes('/pictures/:photo_id/:width/:expires/:signature'))).toHaveLength(3)
  for (const secret of [path.slice(-43), 'A'.repeat(43)]) expect(lines.join('\n')).not.toContain(secret)
})

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
    await api.patch(`/api/v1/events/${event.id}`, signable)
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
