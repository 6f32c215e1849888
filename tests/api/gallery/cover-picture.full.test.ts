import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'
import { openStoredFile } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

const coverPath = ({ slug, share_token }: TestEvent): string => `/gallery/${slug}/${share_token}/cover.jpg`
const getPage = async ({ slug, share_token }: TestEvent, testService = service) =>
  (await testService.anonymous.get(`/gallery/${slug}/${share_token}`)).bytes.toString()
const changeEvent = (event: TestEvent, body: object) => api.patch(`/api/v1/events/${event.id}`, body)

async function uploadColor(event: TestEvent, background: string, size = { width: 300, height: 400 }): Promise<number> {
  const bytes = await sharp({ create: { ...size, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return (await api.upload(event.id, Buffer.from(bytes))).body.id
}

async function colorOf(bytes: Buffer): Promise<string> {
  const { dominant } = await sharp(bytes).stats()
  return dominant.r > dominant.b ? 'red' : 'blue'
}

describe('cover.jpg', () => {
  test('is the first visible photo as a JPEG of 1200 × 630, for anybody with the link', async () => {
    const event = await createEvent(api)
    await uploadColor(event, '#c02020')
    await uploadColor(event, '#2020c0')
    const { status, headers, bytes } = await anonymous.get(coverPath(event))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    const { format, width, height } = await sharp(bytes).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
    expect(await colorOf(bytes)).toBe('red')
  })

  test('is upright and contains no metadata about camera and place', async () => {
    const event = await createEvent(api)
    // The picture is stored on its side. Turned upright, its upper half is red.
    const [red, blue] = ['#c02020', '#2020c0'].map((background) => ({
      create: { width: 1260, height: 1200, channels: 3 as const, background },
    }))
    const upright = await sharp({ create: { width: 1260, height: 2400, channels: 3, background: 'black' } })
      .composite([
        { input: await sharp(red).png().toBuffer(), top: 0, left: 0 },
        { input: await sharp(blue).png().toBuffer(), top: 1200, left: 0 },
      ])
      .png()
      .toBuffer()
    const rotated = await sharp(upright)
      .rotate(-90)
      .withMetadata({ orientation: 6, exif: { IFD0: { Model: 'Camera 7' }, IFD3: { GPSLatitude: '48/1 8/1 0/1' } } })
      .jpeg()
      .toBuffer()
    await api.upload(event.id, Buffer.from(rotated))
    const { bytes } = await anonymous.get(coverPath(event))
    const { exif, xmp, iptc, orientation } = await sharp(bytes).metadata()
    expect({ exif, xmp, iptc, orientation }).toEqual({
      exif: undefined,
      xmp: undefined,
      iptc: undefined,
      orientation: undefined,
    })
    const getCornerColor = async (left: number) =>
      colorOf(await sharp(bytes).extract({ left, top: 0, width: 100, height: 40 }).toBuffer())
    expect(await getCornerColor(0)).toBe(await getCornerColor(1100))
  })

  test('is the chosen photo, at once; never a hidden one', async () => {
    const event = await createEvent(api)
    await uploadColor(event, '#c02020')
    const blue = await uploadColor(event, '#2020c0')
    const cover = async () => colorOf((await anonymous.get(coverPath(event))).bytes)
    expect(await cover()).toBe('red')
    expect((await changeEvent(event, { cover_photo_id: blue })).body.cover_photo_id).toBe(blue)
    expect(await cover()).toBe('blue')
    await admin.patch(`/api/admin/photos/${event.id}/photos/${blue}`, { visibility: 'hidden' })
    expect(await cover()).toBe('red')
    await admin.patch(`/api/admin/photos/${event.id}/photos/${blue}`, { visibility: 'visible' })
    await changeEvent(event, { cover_photo_id: null })
    expect(await cover()).toBe('red')
  })

  test('is created again when its photo is replaced', async () => {
    const event = await createEvent(api)
    const id = await uploadColor(event, '#c02020')
    const before = await anonymous.get(coverPath(event))
    const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#2020c0' } })
      .jpeg()
      .toBuffer()
    await api.upload(event.id, Buffer.from(bytes), { fields: { replaces_photo_id: id } })
    const after = await anonymous.get(coverPath(event))
    expect(await colorOf(after.bytes)).toBe('blue')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })

  test('is created once and revalidated each time: ETag, 304, HEAD', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const answers = await Promise.all(Array.from({ length: 8 }, () => anonymous.get(coverPath(event))))
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    const renditionCount = readDatabase(service, (stored) =>
      stored.prepare(`select count(*) from photo_renditions where event_id = ?`).pluck().get(event.id),
    )
    expect(renditionCount).toBe(1)
    const [{ headers, bytes }] = answers as [(typeof answers)[number]]
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const again = await anonymous.get(coverPath(event), { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect(again.bytes).toHaveLength(0)
    expect((await anonymous.head(coverPath(event))).headers.get('content-length')).toBe(String(bytes.length))
  })

  test('has the watermark and the size limit of the event', async () => {
    const event = await createEvent(api)
    await uploadColor(event, '#2020c0', { width: 1600, height: 1200 })
    const unmarked = await anonymous.get(coverPath(event))
    await changeEvent(event, { watermark_downloads: true, watermark_text: 'PROOF' })
    const marked = await anonymous.get(coverPath(event))
    expect(marked.headers.get('etag')).not.toBe(unmarked.headers.get('etag'))
    expect((await sharp(marked.bytes).stats()).entropy).toBeGreaterThan((await sharp(unmarked.bytes).stats()).entropy)
    await changeEvent(event, { download_max_px: 800 })
    const { width, height } = await sharp((await anonymous.get(coverPath(event))).bytes).metadata()
    expect({ width, height }).toEqual({ width: 800, height: 420 })
  })

  test('is created again if its file is missing', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const before = await anonymous.get(coverPath(event))
    const filename = readDatabase(service, (stored) =>
      stored.prepare('select filename from photo_renditions where event_id = ?').pluck().get(event.id),
    )
    await openStoredFile(service, `files/events/${event.id}/renditions/${filename}`).remove()
    const after = await anonymous.get(coverPath(event))
    expect(after.status).toBe(200)
    expect(after.bytes.equals(before.bytes)).toBe(true)
  })
})

describe('cover.jpg returns 404, and the page has none,', () => {
  async function expectNoCover(event: TestEvent, testService = service): Promise<void> {
    const answer = await testService.anonymous.get(coverPath(event))
    expectProblem(answer, 404, 'NOT_FOUND')
    expect(answer.bytes.toString()).not.toContain('<')
    expect(await getPage(event, testService)).not.toContain('og:image')
  }

  test.each([
    ['with a password', { require_password: true, password: 'sesame-12' }],
    ['before the reveal', { reveal_at: '2099-01-01' }],
    ['of a draft', { is_draft: true }],
  ])('%s', async (_what, body) => {
    const event = await createEvent(api, body)
    await uploadPhotos(api, event.id, 1)
    await expectNoCover(event)
  })

  test('of an archived or expired gallery', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const event = await createEvent(timed.api, { expiration_days: 1 })
    await uploadPhotos(timed.api, event.id, 1)
    expect((await timed.anonymous.get(coverPath(event))).status).toBe(200)
    clock.advance(25 * 3_600_000)
    await expectNoCover(event, timed)
    await timed.api.patch(`/api/v1/events/${event.id}`, { expiration_days: 30 })
    expect((await timed.anonymous.get(coverPath(event))).status).toBe(200)
    await timed.api.post(`/api/v1/events/${event.id}/archive`, {})
    await expectNoCover(event, timed)
  })

  test('without a photo that guests see', async () => {
    const event = await createEvent(api)
    await expectNoCover(event)
    const [photo] = await uploadPhotos(api, event.id, 1)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${photo}`, { visibility: 'hidden' })
    await expectNoCover(event)
  })

  test('with a wrong share token or that of another gallery, for every caller', async () => {
    const [event, other] = [await createEvent(api), await createEvent(api)]
    await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    for (const client of [anonymous, guest, admin, api]) {
      for (const share_token of [other.share_token, 'wrong', 'x'.repeat(400)]) {
        expectProblem(await client.get(coverPath({ ...event, share_token })), 404, 'NOT_FOUND')
      }
    }
    expect(await getPage({ ...event, share_token: 'wrong' })).not.toContain('og:')
    expectProblem(await anonymous.get(coverPath({ ...event, slug: 'nothing' })), 404, 'NOT_FOUND')
  })
})

test('the page of the link has picture and title for previews, below PUBLIC_URL', async () => {
  const namedService = await serviceForTest({ environment: { PUBLIC_URL: 'https://photos.example' } })
  const event = await createEvent(namedService.api, { event_name: 'Ana "&" <Ben>' })
  await uploadPhotos(namedService.api, event.id, 1)
  const page = await getPage(event, namedService)
  expect(page).toContain(`<meta property="og:image" content="https://photos.example${coverPath(event)}">`)
  expect(page).toContain('<meta property="og:title" content="Ana &#34;&#38;&#34; &#60;Ben&#62;">')
})

describe('choosing the cover of an event', () => {
  test('requires a photo of the event', async () => {
    const [event, other] = [await createEvent(api), await createEvent(api)]
    const [foreign] = await uploadPhotos(api, other.id, 1)
    expectInvalidField(await changeEvent(event, { cover_photo_id: foreign }), 'cover_photo_id')
    expectInvalidField(await changeEvent(event, { cover_photo_id: 999999 }), 'cover_photo_id')
    expectInvalidField(await changeEvent(event, { cover_photo_id: 'first' }), 'cover_photo_id')
  })

  test('applies until the photo is deleted', async () => {
    const event = await createEvent(api)
    const [first, second] = await uploadPhotos(api, event.id, 2)
    await changeEvent(event, { cover_photo_id: second })
    expect((await api.get(`/api/v1/events/${event.id}`)).body.cover_photo_id).toBe(second)
    await admin.delete(`/api/admin/photos/${event.id}/photos/${second}`)
    expect((await api.get(`/api/v1/events/${event.id}`)).body.cover_photo_id).toBe(first)
    await api.upload(event.id, await jpeg({ seed: 9 }))
    expect((await anonymous.get(coverPath(event))).status).toBe(200)
  })
})
