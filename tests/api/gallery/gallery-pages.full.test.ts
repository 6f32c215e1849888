import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { parsePageData } from '../../support/clients/page-data.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestResponse } from '../../support/clients/test-client.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
const cookie = `admin_token=${admin.token}`
let event: TestEvent
let ids: number[]
let locked: TestEvent
beforeAll(async () => {
  event = await createEvent(api, { event_name: 'Ana <b> & Ben', default_photo_sort: 'upload_date_asc' })
  ids = await uploadPhotos(api, event.id, 5)
  locked = await createEvent(api, { require_password: true, password: 'open sesame' })
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

const openPreview = (event: TestEvent, query = 'as=operator') =>
  anonymous.get(`${galleryPath(event)}?${query}`, { cookie })

const listAddresses = (markup: string): string[] => {
  const written = [...markup.matchAll(/(?:src|href|srcset)="([^"]+)"/g)].map(([, value = '']) =>
    value.replaceAll('&#38;', '&'),
  )
  return written.flatMap((value) => value.split(/,\s+/)).map((value) => value.split(' ')[0] ?? '')
}

test('an operator who previews a gallery in any state sees every picture, and stays an operator', async () => {
  for (const body of [{ is_draft: true }, { reveal_at: '2999-01-01' }, {}]) {
    const event = await createEvent(api, { header_style: 'hero', ...body })
    await uploadPhotos(api, event.id, 5)
    const page = await openPreview(event)
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    const media = listAddresses(page.bytes.toString()).filter((path) => path.startsWith('/api/gallery/'))
    expect(media.length).toBeGreaterThan(10)
    for (const path of media) {
      expect(path).toContain('as=operator')
      expect((await anonymous.get(path, { cookie })).status, path).toBe(200)
    }
    const data = parsePageData(page)
    expect([data.viewer, data.photos.length]).toEqual([{ kind: 'operator', guest: null }, 5])
    const filtered = (await openPreview(event, 'as=operator&filter=liked')).bytes.toString()
    const nextAddresses = listAddresses(filtered).filter((path) => path.startsWith('?') && !path.includes('language='))
    expect(nextAddresses.length).toBeGreaterThan(0)
    expect(nextAddresses.filter((path) => !path.includes('as=operator'))).toEqual([])
  }
})

test('an operator sees hidden photos and a note about them on every page, and a guest neither', async () => {
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 3)
  const note = 'This gallery has 2 hidden photos. You can see them, but your guests can&#39;t.'
  const loadPreviewText = async (query?: string) => (await openPreview(event, query)).bytes.toString()
  expect(await loadPreviewText()).not.toContain('operator-note')
  for (const id of ids.slice(1))
    await admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { visibility: 'hidden' })
  expect(parsePageData(await openPreview(event)).photos).toHaveLength(3)
  expect(await loadPreviewText()).toContain(note)
  expect(await loadPreviewText('as=operator&search=nothing')).toContain(note)
  expect(parsePageData(await openPreview(event, '')).photos).toHaveLength(1)
  expect(await loadPreviewText('')).not.toContain('operator-note')
})

test('without `as=operator`, or as an account that does not own the event, an operator sees what a guest sees', async () => {
  const draft = await createEvent(api, { is_draft: true })
  expect((await openPreview(draft, '')).status).toBe(404)
  expect(parsePageData(await openPreview(await createEvent(api), '')).viewer.kind).toBe('guest')
  const stranger = `admin_token=${(await createAccount(service, 'editor')).admin.token}`
  expect((await anonymous.get(`${galleryPath(draft)}?as=operator`, { cookie: stranger })).status).toBe(404)
  const event = await createEvent(api)
  const path = `/api/gallery/${event.slug}/photos?as=guest`
  expectProblem(await anonymous.get(path, { cookie: stranger }), 403, 'FORBIDDEN')
  expectProblem(await anonymous.get(path), 401, 'NO_TOKEN')
})

test('a preview can have another theme and header, which are not saved', async () => {
  const event = await createEvent(api, { theme_preset: 'classic', header_style: 'standard' })
  await uploadPhotos(api, event.id, 1)
  const loadMarkup = async (query: string) => (await openPreview(event, query)).bytes.toString()
  const previewed = await loadMarkup('as=guest&theme=noir&header=minimal')
  expect(previewed).toContain('class="theme-noir')
  expect(previewed).toContain('class="header-minimal"')
  for (const query of ['as=operator', 'as=guest&theme=none&header=%00', 'theme=noir&header=minimal']) {
    const markup = await loadMarkup(query)
    expect(markup).toContain('class="theme-classic')
    expect(markup).toContain('class="header-standard"')
  }
})

test('the cover has the layout and the focus of the event, or of a preview, and the proposed focus otherwise', async () => {
  const event = await createEvent(api, { header_style: 'hero' })
  const [first, second] = await uploadPhotos(api, event.id, 5)
  const change = async (body: object) => (await api.patch(`/api/v1/events/${event.id}`, body)).body
  const readCover = async (query: string) => {
    const markup = (await openPreview(event, query)).bytes.toString()
    const [, layout] = /<header class="header-hero cover-(\w+)"/.exec(markup) ?? []
    return [layout, ...[...(/--cover-x:(\d+)%;--cover-y:(\d+)%/.exec(markup)?.slice(1) ?? [])].map(Number)]
  }
  const proposed = await readCover('as=operator')
  expect(proposed).toEqual(['full', expect.any(Number), expect.any(Number)])
  // A guest finds what the first view has stored.
  expect(await readCover('')).toEqual(proposed)
  expect(await change({ cover_layout: 'split', cover_focus_x: 0, cover_focus_y: 100 })).toMatchObject({
    ...{ cover_layout: 'split', cover_focus_x: 0, cover_focus_y: 100 },
  })
  expect(await readCover('')).toEqual(['split', 0, 100])
  expect(await readCover('as=guest&cover=framed&focus_x=7&focus_y=8')).toEqual(['framed', 7, 8])
  expect(await readCover('as=guest&focus_x=&focus_y=')).toEqual(['split', ...proposed.slice(1)])
  expect(await readCover('as=guest&cover=words')).toEqual(['words'])
  expect(await readCover('cover=framed&focus_x=7&focus_y=8')).toEqual(['split', 0, 100])

  expect(await change({ cover_photo_id: first, cover_focus_x: 5 })).toMatchObject({
    cover_focus_x: 5,
    cover_focus_y: null,
  })
  expect(await change({ cover_photo_id: second })).toMatchObject({ cover_focus_x: null, cover_focus_y: null })
  const answer = await api.patch(`/api/v1/events/${event.id}`, { cover_layout: 'tiny', cover_focus_y: 101 })
  expect(answer.status).toBe(400)
})

describe('a preview as a guest', () => {
  const previewPath = ({ slug }: TestEvent, path: string) => `/api/gallery/${slug}/${path}as=guest`

  test('shows what guests see, and saves and counts nothing', async () => {
    const event = await createEvent(api, { reveal_at: '2999-01-01', is_draft: true })
    const [visible = 0, hidden = 0] = await uploadPhotos(api, event.id, 2)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${hidden}`, { visibility: 'hidden' })
    expect(parsePageData(await openPreview(event, 'as=guest')).photos).toEqual([])

    await api.patch(`/api/v1/events/${event.id}`, { reveal_at: null, allow_downloads: false })
    const page = await openPreview(event, 'as=guest')
    const data = parsePageData(page)
    expect(data.viewer).toMatchObject({ kind: 'guest', is_preview: true })
    expect(data.photos.map(({ id }) => id)).toEqual([visible])
    for (const path of listAddresses(page.bytes.toString()).filter((path) => path.startsWith('/api/gallery/'))) {
      expect(path).toContain('as=guest')
      expect((await anonymous.get(path, { cookie })).status, path).toBe(200)
    }
    const options = { cookie, origin: service.url }
    expectProblem(await anonymous.get(previewPath(event, `photo/${hidden}?`), options), 404, 'NOT_FOUND')
    expectProblem(await anonymous.get(previewPath(event, `download/${visible}?`), options), 403, 'DOWNLOAD_DISABLED')
    const like = { feedback_type: 'like' }
    const feedbackPath = previewPath(event, `photos/${visible}/feedback?`)
    expectProblem(await anonymous.post(feedbackPath, like, options), 403, 'FORBIDDEN')
    expectProblem(await anonymous.post(previewPath(event, 'guest?'), { name: 'Ana' }, options), 403, 'FORBIDDEN')
    expect((await api.get(`/api/v1/events/${event.id}`)).body.total_views).toBe(0)
  })

  test('says that guests see an expired gallery no more', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    const loadNote = async () =>
      /class="operator-note">.*?<\/p>/.exec((await openPreview(event, 'as=guest')).bytes.toString())?.[0]
    expect(await loadNote()).not.toContain('has expired')
    await admin.post(`/api/admin/events/${event.id}/close`, {})
    expect(await loadNote()).toContain('The gallery has expired')
    expect((await anonymous.get(galleryPath(event))).bytes.toString()).toContain('This gallery has expired.')
  })
})

const html = ({ bytes }: TestResponse) => bytes.toString()
const getLanguage = (page: TestResponse) => /<html lang="([^"]*)"/.exec(html(page))?.[1]

describe('a language in the URL of a page', () => {
  test('is stored in a cookie for a year, and the browser is redirected to the URL without it', async () => {
    const browser = createCookieClient(service.url)
    const { status, headers } = await browser.get(`${galleryPath(event)}?search=a%20b&language=de&page=2`)
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(`${galleryPath(event)}?search=a+b&page=2`)
    const [cookie] = headers.getSetCookie()
    expect(cookie).toMatch(/^language=de;/)
    expect(cookie).toMatch(/; Max-Age=31536000/i)
    expect(cookie).toMatch(/; Path=\//i)
    expect(cookie).toMatch(/; SameSite=Lax/i)
    // Scripts may change the cookie as well.
    expect(cookie).not.toMatch(/HttpOnly/i)
    expect(getLanguage(await browser.get(galleryPath(event)))).toBe('de')
  })

  test('applies to every page, also before the password and for unknown galleries', async () => {
    for (const path of [galleryPath(locked), `/gallery/${locked.slug}`, '/gallery/nothing/here']) {
      const browser = createCookieClient(service.url)
      const { status, headers } = await browser.get(`${path}?language=de`)
      expect([status, headers.get('location')]).toEqual([303, path])
      expect(getLanguage(await browser.get(path))).toBe('de')
    }
  })

  test('changes nothing if it is unknown', async () => {
    for (const code of ['tlh', '', '../../etc/passwd', 'en.json', '__proto__']) {
      const page = await createCookieClient(service.url).get(
        `${galleryPath(event)}?language=${encodeURIComponent(code)}`,
      )
      expect(page.status).toBe(200)
      expect(page.headers.getSetCookie().filter((line) => line.startsWith('language='))).toEqual([])
    }
  })

  test('never redirects to another site', async () => {
    const browser = createCookieClient(service.url)
    for (const path of ['/gallery//evil.example', '/gallery/%2F%2Fevil.example', '/gallery/..%5Cevil.example']) {
      const { status, headers } = await browser.get(`${path}?language=de`)
      expect([status, headers.get('location')]).toEqual([303, path])
    }
  })
})

test('without a choice of the guest, Accept-Language counts by quality', async () => {
  const page = await anonymous.get(galleryPath(event), { 'accept-language': 'fr, en;q=0.5, de-AT;q=0.9' })
  expect(getLanguage(page)).toBe('de')
})

describe('without JavaScript', () => {
  test('each page links to all languages by name, and marks its own', async () => {
    for (const path of [`${galleryPath(event)}?search=kiss`, galleryPath(locked), '/gallery/nothing/here']) {
      const page = html(await createCookieClient(service.url).get(path))
      const query = path.includes('?') ? 'search=kiss&#38;' : ''
      expect(page).toContain(`<a href="?${query}language=de" hreflang="de" lang="de">Deutsch</a>`)
      expect(page).toContain(`<a href="?${query}language=en" hreflang="en" lang="en" aria-current="true">English</a>`)
    }
  })

  test('a response to a form links to the page of the form, since a link would not send it again', async () => {
    const answer = await createCookieClient(service.url).submit(`/gallery/${locked.slug}/enter`, { password: 'wrong' })
    expect(answer.status).toBe(401)
    expect(html(answer)).toContain(`<a href="/gallery/${locked.slug}?language=de"`)
  })
})
