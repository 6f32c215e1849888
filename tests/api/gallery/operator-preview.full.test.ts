import { describe, expect, test } from 'vitest'
import { parsePageData } from '../../support/clients/page-data.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service
const cookie = `admin_token=${admin.token}`
const galleryPath = ({ slug, share_token }: TestEvent) => `/gallery/${slug}/${share_token}`
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
