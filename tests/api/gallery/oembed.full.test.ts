import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { requestWithHost } from '../../support/clients/request-with-host.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock }, environment: { PUBLIC_URL: 'https://photos.example' } })
const { admin, anonymous, api } = service
const origin = 'https://photos.example'

let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api, { event_name: 'Ana & Ben' })
  await uploadPhotos(api, event.id, 2)
})

const galleryLink = ({ slug, share_token }: TestEvent) => `${origin}/gallery/${slug}/${share_token}`
const requestOembed = (url: string, more: Record<string, string> = {}) =>
  anonymous.get(`/api/oembed?${new URLSearchParams({ url, ...more })}`)
const loadPage = async ({ slug, share_token }: TestEvent) =>
  (await anonymous.get(`/gallery/${slug}/${share_token}`)).bytes.toString()

describe('GET /api/oembed', () => {
  test('returns the cover of a gallery for its full link', async () => {
    const { status, body, headers } = await requestOembed(galleryLink(event))
    expect(status).toBe(200)
    expect(body).toEqual({
      version: '1.0',
      type: 'photo',
      title: 'Ana & Ben',
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
    expect((await requestOembed(galleryLink(event), { maxwidth: '600' })).body).toMatchObject({
      width: 600,
      height: 315,
    })
    expect((await requestOembed(galleryLink(event), { maxwidth: '900', maxheight: '63' })).body).toMatchObject({
      width: 120,
      height: 63,
    })
    expect((await requestOembed(galleryLink(event), { maxwidth: '9000' })).body).toMatchObject({
      width: 1200,
      height: 630,
    })
    for (const maxwidth of ['0', '-1', 'x', '1e9'])
      expectInvalidField(await requestOembed(galleryLink(event), { maxwidth }), 'maxwidth')
  })

  test('accepts variants of the link', async () => {
    const { slug, share_token } = event
    for (const url of [
      `${galleryLink(event)}/`,
      `${galleryLink(event)}?filter=liked&photo=999#top`,
      `http://photos.example/gallery/${slug}/${share_token}`,
      `https://PHOTOS.example:443/gallery/${slug}/${share_token}`,
    ]) {
      const { status, body } = await requestOembed(url)
      expect([url, status, body.url]).toEqual([url, 200, `${galleryLink(event)}/cover.jpg`])
    }
  })

  test('supports only JSON', async () => {
    expect((await requestOembed(galleryLink(event), { format: 'json' })).status).toBe(200)
    for (const format of ['xml', 'JSONP', '']) {
      expectProblem(await requestOembed(galleryLink(event), { format }), 501, 'NOT_IMPLEMENTED')
    }
    expectProblem(await requestOembed('https://other.example/', { format: 'xml' }), 501, 'NOT_IMPLEMENTED')
  })

  test('is 404 for anything but a full link of this instance', async () => {
    const { slug, share_token } = event
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
  })
})

describe('a gallery that does not open by its link alone', () => {
  async function expectNoPreview(of: TestEvent): Promise<void> {
    expectProblem(await requestOembed(galleryLink(of)), 404, 'NOT_FOUND')
    expect(await loadPage(of)).not.toMatch(/oembed|og:|twitter:/)
  }

  test.each([
    ['with a password', { require_password: true, password: 'sesame-12' }],
    ['before the reveal', { reveal_at: '2999-01-01' }],
    ['of a draft', { is_draft: true }],
  ])('%s is 404, and its page has no preview', async (_what, body) => {
    const closed = await createEvent(api, { event_name: 'Secret', ...body })
    await uploadPhotos(api, closed.id, 1)
    await expectNoPreview(closed)
  })

  test('archived, expired or empty is 404 too', async () => {
    const empty = await createEvent(api)
    await expectNoPreview(empty)
    const event = await createEvent(api, { expiration_days: 1 })
    await uploadPhotos(api, event.id, 1)
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    await expectNoPreview(event)
  })

  test('has no preview for an operator either', async () => {
    const draft = await createEvent(api, { is_draft: true })
    await uploadPhotos(api, draft.id, 1)
    const { slug, share_token } = draft
    const cookie = `admin_token=${admin.token}`
    const page = await anonymous.get(`/gallery/${slug}/${share_token}?as=operator`, { cookie })
    expect(page.status).toBe(200)
    expect(page.bytes.toString()).not.toMatch(/oembed|og:/)
  })
})

describe('the page of a link', () => {
  const metaContent = (page: string, property: string) =>
    new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(page)?.[1]

  test('contains what messengers show', async () => {
    await admin.put('/api/admin/branding', { studio_name: 'Studio Löwe' })
    const page = await loadPage(event)
    expect(metaContent(page, 'og:title')).toBe('Ana &#38; Ben')
    expect(metaContent(page, 'og:url')).toBe(galleryLink(event))
    expect(metaContent(page, 'og:site_name')).toBe('Studio Löwe')
    expect(metaContent(page, 'og:image')).toBe(`${galleryLink(event)}/cover.jpg`)
    expect(metaContent(page, 'og:image:width')).toBe('1200')
    expect(metaContent(page, 'og:image:height')).toBe('630')
    expect(metaContent(page, 'twitter:card')).toBe('summary_large_image')
    expect(metaContent(page, 'og:description')).toMatch(/2 photos/)
  })

  test('describes the gallery by its welcome text without markup', async () => {
    const eventWithWelcome = await createEvent(api, {
      welcome_message: '**Thank you** all, see [more](https://a.example)',
    })
    await uploadPhotos(api, eventWithWelcome.id, 1)
    expect(metaContent(await loadPage(eventWithWelcome), 'og:description')).toBe('Thank you all, see more')
  })

  test('links to the oEmbed response', async () => {
    const [, href = ''] =
      /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(await loadPage(event)) ?? []
    const address = new URL(href.replaceAll('&#38;', '&'))
    expect(address.origin).toBe(origin)
    expect((await anonymous.get(address.pathname + address.search)).body.title).toBe('Ana & Ben')
  })

  test('does not contain the Host of the request', async () => {
    const { slug, share_token } = event
    const path = `/api/oembed?url=${encodeURIComponent(`https://evil.example/gallery/${slug}/${share_token}`)}`
    expect(await requestWithHost(service.url, 'evil.example', 'GET', path)).toBe(404)
  })
})
