import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { parsePageData } from '../../support/clients/page-data.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestResponse } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
let event: TestEvent
let ids: number[]
beforeAll(async () => {
  event = await createEvent(api, { event_name: 'Ana <b> & Ben', default_photo_sort: 'upload_date_asc' })
  ids = await uploadPhotos(api, event.id, 5)
})

const galleryPath = ({ slug, share_token }: TestEvent) => `/gallery/${slug}/${share_token}`
const hide = (of: TestEvent, id: number | undefined) =>
  admin.patch(`/api/admin/photos/${of.id}/photos/${id}`, { visibility: 'hidden' })
const open = (of: TestEvent, query: string) => anonymous.get(`${galleryPath(of)}?${query}`)

/** Returns what the page shows without script, with `&#38;` decoded. */
const noscriptMarkup = (page: TestResponse): string =>
  (/<main[^>]*>\s*<noscript>([\s\S]*?)<\/noscript>/.exec(page.bytes.toString())?.[1] ?? '').replaceAll('&#38;', '&')
const findLink = (markup: string, sign: string) => new RegExp(`<a ${sign} href="([^"]+)"`).exec(markup)?.[1]

describe('a link to a photo, without script,', () => {
  test('shows it large, with its position and links to the neighbors, all photos and its download', async () => {
    const shown = noscriptMarkup(await open(event, `photo=${ids[2]}`))
    expect(shown).toContain(`/api/gallery/${event.slug}/photo/${ids[2]}?w=`)
    expect(shown).toContain('<h1>Photo 3 of 5</h1>')
    expect(findLink(shown, 'rel="prev"')).toBe(`?photo=${ids[1]}`)
    expect(findLink(shown, 'rel="next"')).toBe(`?photo=${ids[3]}`)
    expect(findLink(shown, 'class="back"')).toBe('?')
    expect(findLink(shown, 'class="save"')).toBe(`/api/gallery/${event.slug}/download/${ids[2]}`)
    expect(shown).toContain('Ana &#60;b&#62; & Ben')
    const first = noscriptMarkup(await open(event, `photo=${ids[0]}`))
    const last = noscriptMarkup(await open(event, `photo=${ids[4]}`))
    expect([findLink(first, 'rel="prev"'), findLink(last, 'rel="next"')]).toEqual([undefined, undefined])
    await api.patch(`/api/v1/events/${event.id}`, { allow_downloads: false })
    expect(noscriptMarkup(await open(event, `photo=${ids[2]}`))).not.toContain('download')
    await api.patch(`/api/v1/events/${event.id}`, { allow_downloads: true })
  })

  test('keeps the filter and order of its address; a photo outside of them appears among all', async () => {
    const guest = createCookieClient(service.url)
    await guest.get(galleryPath(event))
    for (const id of [ids[0], ids[4]]) {
      const mark = { feedback_type: 'favorite', set: true }
      await guest.post(`/api/gallery/${event.slug}/photos/${id}/feedback`, mark)
    }
    const asked = 'filter=favorited&sort=upload_date&order=desc'
    const among = noscriptMarkup(await guest.get(`${galleryPath(event)}?${asked}&photo=${ids[4]}`))
    expect(among).toContain('Photo 1 of 2')
    expect(findLink(among, 'rel="next"')).toBe(`?${asked}&photo=${ids[0]}`)
    expect(findLink(among, 'class="back"')).toBe(`?${asked}`)
    const other = noscriptMarkup(await guest.get(`${galleryPath(event)}?${asked}&photo=${ids[3]}`))
    expect(other).toContain('Photo 2 of 5')
    expect(findLink(other, 'class="back"')).toBe('?sort=upload_date&order=desc')
  })

  test('gives the script the same data as the gallery page', async () => {
    const guest = createCookieClient(service.url)
    await guest.get(galleryPath(event))
    const [plain, named] = [
      await guest.get(galleryPath(event)),
      await guest.get(`${galleryPath(event)}?photo=${ids[2]}`),
    ]
    expect(parsePageData(named)).toEqual(parsePageData(plain))
  })

  test('leads to the gallery if it is invalid', async () => {
    for (const query of ['photo=', 'photo=0', 'photo=-1', 'photo=1e3', 'photo=x', 'photo=1&photo=2']) {
      const page = await open(event, query)
      expect([query, page.status, noscriptMarkup(page)]).toEqual([query, 200, ''])
    }
  })

  test('an operator sees hidden ones as well, and stays an operator', async () => {
    const mine = await createEvent(api)
    const [first, second] = await uploadPhotos(api, mine.id, 2)
    await hide(mine, first)
    const cookie = `admin_token=${admin.token}`
    const page = await anonymous.get(`${galleryPath(mine)}?as=operator&photo=${first}`, { cookie })
    expect(noscriptMarkup(page)).toContain(`/photo/${first}?w=1280&as=operator`)
    expect(findLink(noscriptMarkup(page), 'rel="prev"')).toBe(`?as=operator&photo=${second}`)
  })
})

describe('a photo that guests do not see', () => {
  const expectNoPhotoData = async (of: TestEvent, id: number | undefined) => {
    const page = await open(of, `photo=${id}`)
    expect(page.status).toBe(200)
    expect(page.bytes.toString()).not.toMatch(new RegExp(`(photo|thumbnail|download)/${id}\\b|photo=${id}"`))
    expectProblem(await anonymous.get(`${galleryPath(of)}/cover.jpg?photo=${id}`), 404, 'NOT_FOUND')
    return page
  }

  test('is reported as missing above the others, if hidden, of another gallery or unknown', async () => {
    const [mine, other] = [await createEvent(api), await createEvent(api)]
    const [first, second] = await uploadPhotos(api, mine.id, 2)
    const [foreign] = await uploadPhotos(api, other.id, 1)
    await hide(mine, first)
    for (const id of [first, foreign, 999_999, 999_999_999_999_999]) {
      expect(noscriptMarkup(await expectNoPhotoData(mine, id))).toContain('This photo isn&#39;t available.')
    }
    expect(noscriptMarkup(await open(mine, `photo=${second}`))).toContain('Photo 1 of 1')
  })

  test('is not reported before the reveal, and nothing is shown with a password or in a draft', async () => {
    const later = await createEvent(api, { reveal_at: '2999-01-01' })
    const [id] = await uploadPhotos(api, later.id, 1)
    expect(noscriptMarkup(await expectNoPhotoData(later, id))).toBe('')
    for (const body of [{ require_password: true, password: 'open-sesame' }, { is_draft: true }]) {
      const closed = await createEvent(api, body)
      const [id] = await uploadPhotos(api, closed.id, 1)
      expect((await open(closed, `photo=${id}`)).bytes.toString()).not.toMatch(/api\/gallery|og:image/)
      expectProblem(await anonymous.get(`${galleryPath(closed)}/cover.jpg?photo=${id}`), 404, 'NOT_FOUND')
    }
  })
})

describe('the messenger preview of a photo link', () => {
  const loadMetaContent = async (of: TestEvent, query: string, property: string) =>
    new RegExp(`<meta property="${property}" content="([^"]+)"`).exec((await open(of, query)).bytes.toString())?.[1]

  test('is that photo, as in the oEmbed response', async () => {
    const one = await createEvent(api)
    const upload = async (background: string): Promise<number> => {
      const picture = sharp({ create: { width: 300, height: 400, channels: 3, background } })
      return (await api.upload(one.id, Buffer.from(await picture.jpeg().toBuffer()))).body.id
    }
    const [red, blue] = [await upload('#c02020'), await upload('#2020c0')]
    const pictureUrl = (await loadMetaContent(one, `photo=${blue}`, 'og:image')) ?? ''
    expect(pictureUrl).toBe(`${service.url}${galleryPath(one)}/cover.jpg?photo=${blue}`)
    expect(await loadMetaContent(one, `photo=${blue}`, 'og:url')).toBe(
      `${service.url}${galleryPath(one)}?photo=${blue}`,
    )
    for (const [query, color] of [
      ['', 'r'],
      [`?photo=${red}`, 'r'],
      [`?photo=${blue}`, 'b'],
    ] as const) {
      const { bytes } = await anonymous.get(`${galleryPath(one)}/cover.jpg${query}`)
      const { dominant } = await sharp(bytes).stats()
      expect([query, dominant.r > dominant.b ? 'r' : 'b']).toEqual([query, color])
    }
    const link = new URLSearchParams({ url: `${service.url}${galleryPath(one)}?photo=${blue}` })
    expect((await anonymous.get(`/api/oembed?${link}`)).body.url).toBe(pictureUrl)
  })

  test('is the cover if guests do not see the photo, revalidated each time, missing with a wrong token', async () => {
    const one = await createEvent(api)
    const [first, second] = await uploadPhotos(api, one.id, 2)
    const { headers } = await anonymous.get(`${galleryPath(one)}/cover.jpg?photo=${second}`)
    expect(headers.get('cache-control')).toBe('no-cache')
    await hide(one, first)
    expect(await loadMetaContent(one, `photo=${first}`, 'og:image')).toMatch(/cover\.jpg$/)
    expect(await loadMetaContent(one, `photo=${first}`, 'og:url')).toBe(`${service.url}${galleryPath(one)}`)
    const guest = await enterAsGuest(service, one)
    const wrong = galleryPath({ ...one, share_token: 'wrong' })
    expectProblem(await guest.get(`${wrong}/cover.jpg?photo=${second}`), 404, 'NOT_FOUND')
  })
})
