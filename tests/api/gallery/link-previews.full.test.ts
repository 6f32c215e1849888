import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { requestWithHost } from '../../support/clients/request-with-host.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'
import { openStoredFile } from '../../support/storage/stored-files.ts'

const origin = 'https://photos.example'
const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock }, environment: { PUBLIC_URL: origin } })
const { admin, anonymous, api } = service

let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api, { event_name: 'Ana "&" <Ben>' })
  await uploadPhotos(api, event.id, 2)
})

const galleryPath = ({ slug, share_token }: TestEvent) => `/gallery/${slug}/${share_token}`
const galleryLink = (of: TestEvent) => origin + galleryPath(of)
const coverPath = (of: TestEvent) => `${galleryPath(of)}/cover.jpg`
const loadPage = async (of: TestEvent) => (await anonymous.get(galleryPath(of))).bytes.toString()
const requestOembed = (url: string, more: Record<string, string> = {}) =>
  anonymous.get(`/api/oembed?${new URLSearchParams({ url, ...more })}`)
const changeEvent = (of: TestEvent, body: object) => api.patch(`/api/v1/events/${of.id}`, body)

const colorPicture = async (background: string, size = { width: 300, height: 400 }) => {
  const picture = sharp({ create: { ...size, channels: 3, background } })
  return Buffer.from(await picture.jpeg().toBuffer())
}
const uploadColor = async (to: TestEvent, background: string, size?: { width: number; height: number }) =>
  (await api.upload(to.id, await colorPicture(background, size))).body.id as number

async function colorOf(bytes: Buffer): Promise<string> {
  const { dominant } = await sharp(bytes).stats()
  return dominant.r > dominant.b ? 'red' : 'blue'
}

test('the password page shows the colors of the cover only if the settings allow it and the link is complete', async () => {
  const locked = await createEvent(api, { require_password: true, password: 'summer-in-lisbon' })
  await uploadPhotos(api, locked.id, 1)
  const load = async (address: string) => (await anonymous.get(address)).bytes.toString()
  const hidden = 'class="soft-cover"'
  expect(await load(galleryPath(locked))).not.toContain(hidden)
  await admin.put('/api/admin/settings', { gallery_password_cover: true })
  expect(await load(galleryPath(locked))).toMatch(/class="soft-cover" src="data:image\/png;base64,[^"]{20,6000}"/)
  expect(await load(`/gallery/${locked.slug}`)).not.toContain(hidden)
  await changeEvent(locked, { reveal_at: new Date(clock.now() + 3_600_000).toISOString() })
  expect(await load(galleryPath(locked))).not.toContain(hidden)
  await admin.put('/api/admin/settings', { gallery_password_cover: false })
})

describe('cover.jpg', () => {
  test('is the chosen or first visible photo as a JPEG of 1200 × 630, at once, also after a replace', async () => {
    const event = await createEvent(api)
    const red = await uploadColor(event, '#c02020')
    const blue = await uploadColor(event, '#2020c0')
    const { status, headers, bytes } = await anonymous.get(coverPath(event))
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    const cover = async () => colorOf((await anonymous.get(coverPath(event))).bytes)
    const setVisibility = (visibility: string) =>
      admin.patch(`/api/admin/photos/${event.id}/photos/${blue}`, { visibility })
    expect(await cover()).toBe('red')
    expect((await changeEvent(event, { cover_photo_id: blue })).body.cover_photo_id).toBe(blue)
    expect(await cover()).toBe('blue')
    await setVisibility('hidden')
    expect(await cover()).toBe('red')
    await setVisibility('visible')
    await changeEvent(event, { cover_photo_id: null })
    expect(await cover()).toBe('red')

    const other = await colorPicture('#2020c0', { width: 900, height: 600 })
    await api.upload(event.id, other, { fields: { replaces_photo_id: red } })
    const after = await anonymous.get(coverPath(event))
    expect([await colorOf(after.bytes), after.headers.get('etag') === headers.get('etag')]).toEqual(['blue', false])

    await changeEvent(event, { cover_photo_id: blue })
    await admin.delete(`/api/admin/photos/${event.id}/photos/${blue}`)
    expect((await api.get(`/api/v1/events/${event.id}`)).body.cover_photo_id).toBe(red)
    const theirs = await createEvent(api)
    const [foreign] = await uploadPhotos(api, theirs.id, 1)
    for (const cover_photo_id of [foreign, 999_999, 'first']) {
      expectInvalidField(await changeEvent(event, { cover_photo_id }), 'cover_photo_id')
    }
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

  test('is created once, and again if its file is missing; revalidated each time: ETag, 304, HEAD', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const answers = await Promise.all(Array.from({ length: 8 }, () => anonymous.get(coverPath(event))))
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    const [filename, ...others] = readDatabase(service, (stored) =>
      stored.prepare('select filename from photo_renditions where event_id = ?').pluck().all(event.id),
    )
    expect(others).toEqual([])
    const [{ headers, bytes }] = answers as [(typeof answers)[number]]
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const again = await anonymous.get(coverPath(event), { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await anonymous.head(coverPath(event))).headers.get('content-length')).toBe(String(bytes.length))
    await openStoredFile(service, `files/events/${event.id}/renditions/${filename}`).remove()
    const after = await anonymous.get(coverPath(event))
    expect([after.status, after.bytes.equals(bytes)]).toEqual([200, true])
  })

  test('has the watermark and the size limit of the event', async () => {
    const event = await createEvent(api)
    await uploadColor(event, '#2020c0', { width: 1600, height: 1200 })
    const unmarked = await anonymous.get(coverPath(event))
    await changeEvent(event, { watermark_downloads: true, watermark_text: 'PROOF', download_max_px: 800 })
    const marked = await anonymous.get(coverPath(event))
    expect(marked.headers.get('etag')).not.toBe(unmarked.headers.get('etag'))
    expect((await sharp(marked.bytes).stats()).entropy).toBeGreaterThan((await sharp(unmarked.bytes).stats()).entropy)
    expect(await sharp(marked.bytes).metadata()).toMatchObject({ width: 800, height: 420 })
  })
})

describe('GET /api/oembed', () => {
  test('returns the cover of a gallery for its full link', async () => {
    const { status, body, headers } = await requestOembed(galleryLink(event))
    expect(status).toBe(200)
    expect(body).toEqual({
      version: '1.0',
      type: 'photo',
      title: 'Ana "&" <Ben>',
      provider_name: 'Proofroom',
      provider_url: origin,
      cache_age: 300,
      url: `${galleryLink(event)}/cover.jpg`,
      width: 1200,
      height: 630,
    })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect((await anonymous.get(new URL(body.url).pathname)).status).toBe(200)
  })

  test('contains the studio, and respects the requested size', async () => {
    await admin.put('/api/admin/branding', { studio_name: 'Studio <Löwe>' })
    expect((await requestOembed(galleryLink(event))).body.provider_name).toBe('Studio <Löwe>')
    await admin.put('/api/admin/branding', { studio_name: '' })
    for (const [size, width, height] of [
      [{ maxwidth: '600' }, 600, 315],
      [{ maxwidth: '900', maxheight: '63' }, 120, 63],
      [{ maxwidth: '9000' }, 1200, 630],
    ] as const) {
      expect((await requestOembed(galleryLink(event), size)).body).toMatchObject({ width, height })
    }
    for (const maxwidth of ['0', '-1', 'x', '1e9'])
      expectInvalidField(await requestOembed(galleryLink(event), { maxwidth }), 'maxwidth')
  })

  test('accepts variants of the link, and is 404 for anything but a full link of this instance', async () => {
    const { slug, share_token } = event
    for (const url of [
      `${galleryLink(event)}/`,
      `${galleryLink(event)}?filter=liked&photo=999#top`,
      `http://photos.example/gallery/${slug}/${share_token}`,
      `https://PHOTOS.example:443/gallery/${slug}/${share_token}`,
    ]) {
      const { status, body } = await requestOembed(url, { format: 'json' })
      expect([url, status, body.url]).toEqual([url, 200, `${galleryLink(event)}/cover.jpg`])
    }
    for (const format of ['xml', 'JSONP', '']) {
      expectProblem(await requestOembed(galleryLink(event), { format }), 501, 'NOT_IMPLEMENTED')
    }
    for (const url of [
      `https://evil.example/gallery/${slug}/${share_token}`,
      `https://photos.example.evil.example/gallery/${slug}/${share_token}`,
      `https://photos.example@evil.example/gallery/${slug}/${share_token}`,
      `https://photos.example:8443/gallery/${slug}/${share_token}`,
      `${service.url}/gallery/${slug}/${share_token}`,
      `javascript:alert(1)//photos.example/gallery/${slug}/${share_token}`,
      `/gallery/${slug}/${share_token}`,
      `${origin}/gallery/${slug}`,
      `${origin}/gallery/${slug}/wrong`,
      `${origin}/gallery/nothing/${share_token}`,
      `${galleryLink(event)}/cover.jpg`,
      `${origin}/gallery/${slug}/..%2f${share_token}`,
      `${origin}/gallery/${slug}%00/${share_token}`,
      `${origin}/`,
      'not an address',
      '',
      'https://[',
    ]) {
      expectProblem(await requestOembed(url), 404, 'NOT_FOUND')
    }
    expectInvalidField(await requestOembed(`${galleryLink(event)}?${'x'.repeat(2_000)}`), 'url')
    expectInvalidField(await anonymous.get('/api/oembed'), 'url')
    const foreign = `/api/oembed?url=${encodeURIComponent(`https://evil.example${galleryPath(event)}`)}`
    expect(await requestWithHost(service.url, 'evil.example', 'GET', foreign)).toBe(404)
  })
})

describe('the page of a link', () => {
  const metaContent = (page: string, property: string) =>
    new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(page)?.[1]

  test('contains what messengers show, and links to the oEmbed response', async () => {
    await admin.put('/api/admin/branding', { studio_name: 'Studio Löwe' })
    const page = await loadPage(event)
    expect(metaContent(page, 'og:title')).toBe('Ana &#34;&#38;&#34; &#60;Ben&#62;')
    expect(metaContent(page, 'og:url')).toBe(galleryLink(event))
    expect(metaContent(page, 'og:site_name')).toBe('Studio Löwe')
    expect(metaContent(page, 'og:image')).toBe(`${galleryLink(event)}/cover.jpg`)
    expect(metaContent(page, 'og:image:width')).toBe('1200')
    expect(metaContent(page, 'og:image:height')).toBe('630')
    expect(metaContent(page, 'twitter:card')).toBe('summary_large_image')
    expect(metaContent(page, 'og:description')).toMatch(/2 photos/)
    const [, href = ''] = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(page) ?? []
    const address = new URL(href.replaceAll('&#38;', '&'))
    expect(address.origin).toBe(origin)
    expect((await anonymous.get(address.pathname + address.search)).body.title).toBe('Ana "&" <Ben>')
    const welcome_message = '**Thank you** all, see [more](https://a.example)'
    await api.patch(`/api/v1/events/${event.id}`, { welcome_message })
    expect(metaContent(await loadPage(event), 'og:description')).toBe('Thank you all, see more')
  })
})

test('a gallery that does not open by its link alone has neither cover nor oEmbed response, nor its page a preview', async () => {
  const expectNoPreview = async (of: TestEvent) => {
    expectProblem(await anonymous.get(coverPath(of)), 404, 'NOT_FOUND')
    expectProblem(await requestOembed(galleryLink(of)), 404, 'NOT_FOUND')
    expect(await loadPage(of)).not.toMatch(/oembed|og:|twitter:/)
  }
  for (const body of [
    { require_password: true, password: 'sesame-12' },
    { reveal_at: '2999-01-01' },
    { is_draft: true },
  ]) {
    const closed = await createEvent(api, { event_name: 'Secret', ...body })
    await uploadPhotos(api, closed.id, 1)
    await expectNoPreview(closed)
    const cookie = `admin_token=${admin.token}`
    const page = await anonymous.get(`${galleryPath(closed)}?as=operator`, { cookie })
    expect(page.status).toBe(200)
    expect(page.bytes.toString()).not.toMatch(/oembed|og:/)
  }
  const one = await createEvent(api, { expiration_days: 1 })
  await expectNoPreview(one)
  const [photo] = await uploadPhotos(api, one.id, 1)
  const guest = await enterAsGuest(service, one)
  for (const client of [anonymous, guest, admin, api]) {
    for (const share_token of [event.share_token, 'wrong', 'x'.repeat(400)]) {
      expectProblem(await client.get(coverPath({ ...one, share_token })), 404, 'NOT_FOUND')
    }
  }
  expect(await loadPage({ ...one, share_token: 'wrong' })).not.toContain('og:')
  expectProblem(await anonymous.get(coverPath({ ...one, slug: 'nothing' })), 404, 'NOT_FOUND')
  const setVisibility = (visibility: string) =>
    admin.patch(`/api/admin/photos/${one.id}/photos/${photo}`, { visibility })
  await setVisibility('hidden')
  await expectNoPreview(one)
  await setVisibility('visible')
  expect((await anonymous.get(coverPath(one))).status).toBe(200)
  clock.advance(25 * 3_600_000)
  await expectNoPreview(one)
  await changeEvent(one, { expiration_days: 30 })
  expect((await anonymous.get(coverPath(one))).status).toBe(200)
  await api.post(`/api/v1/events/${one.id}/archive`, {})
  await expectNoPreview(one)
})
