import { describe, expect, test } from 'vitest'
import { type CookieClient, createCookieClient } from '../../support/clients/cookie-client.ts'
import { parsePageData } from '../../support/clients/page-data.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

// The page gives its script only data that the API returns to the same guest.
const service = await sharedService()
const { admin, api } = service

type MarkedGallery = { event: TestEvent; ids: number[]; ana: CookieClient; ben: CookieClient }
const galleryPath = ({ share_url }: TestEvent) => new URL(share_url).pathname
const changeEvent = (event: TestEvent, body: object) => api.patch(`/api/v1/events/${event.id}`, body)

/** Creates a gallery in which two guests have given feedback. Their comments wait for approval. */
async function createMarkedGallery(body: object = {}): Promise<MarkedGallery> {
  const event = await createEvent(api, { moderate_comments: true, ...body })
  const ids = await uploadPhotos(api, event.id, 5)
  const [ana, ben] = [createCookieClient(service.url), createCookieClient(service.url)]
  for (const [guest, name] of [
    [ana, 'Ana'],
    [ben, 'Quirin'],
  ] as const) {
    await guest.get(galleryPath(event))
    await guest.post(`/api/gallery/${event.slug}/guest`, { name, email: `${name}@guests.example`.toLowerCase() })
    for (const id of ids.slice(0, 3)) {
      const path = `/api/gallery/${event.slug}/photos/${id}/feedback`
      await guest.post(path, { feedback_type: 'rating', rating: guest === ana ? 5 : 1 })
      await guest.post(path, { feedback_type: 'favorite' })
      await guest.post(path, { feedback_type: 'comment', comment_text: `Words of ${name}` })
    }
    await guest.post(`/api/gallery/${event.slug}/selection`, { note: `Words of ${name}` })
  }
  return { event, ids, ana, ben }
}

const states: Record<string, (gallery: MarkedGallery) => Promise<unknown>> = {
  live: async () => undefined,
  'a hidden photo': ({ event, ids }) =>
    admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' }),
  'before the reveal': ({ event }) => changeEvent(event, { reveal_at: '2999-01-01' }),
  'feedback not shown': ({ event }) => changeEvent(event, { show_feedback_to_guests: false }),
  'feedback switched off': ({ event }) => changeEvent(event, { feedback_enabled: false }),
  'downloads switched off': ({ event }) => changeEvent(event, { allow_downloads: false }),
  'a category of hidden photos': async ({ event, ids }) => {
    const { body } = await admin.post('/api/admin/categories', { name: 'Surprise', event_id: event.id })
    const hidden = { visibility: 'hidden', category_id: body.id }
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, hidden)
  },
}

describe.each(Object.keys(states))('the data of a page, %s,', (state) => {
  test('is what the API returns to the same guest', async () => {
    const gallery = await createMarkedGallery()
    await states[state]?.(gallery)
    const { event, ana } = gallery
    const base = `/api/gallery/${event.slug}`
    const data = parsePageData(await ana.get(galleryPath(event)))
    const list = (await ana.get(`${base}/photos?limit=48`)).body
    expect(data.photos).toEqual(list.photos)
    expect(data.categories).toEqual(list.categories)
    expect(data.event).toEqual(list.event)
    expect(data.event).toEqual((await ana.get(`${base}/info`)).body)
    expect([data.total, data.filtered]).toEqual([list.pagination.total, list.pagination.filtered])
    expect(data.feedback).toEqual((await ana.get(`${base}/feedback-settings`)).body)
    expect(data.viewer).toEqual({ kind: 'guest', guest: (await ana.get(`${base}/guest`)).body.guest })
    const own = await ana.get(`${base}/my-feedback`)
    const nothing = { photos: 0, rated: 0, color_labeled: 0, liked: 0, favorited: 0, comments: 0 }
    expect(data.counts).toEqual(own.status === 404 ? nothing : own.body.counts)
    const handedIn = await ana.get(`${base}/selection`)
    expect(data.selection).toEqual(handedIn.status === 404 ? null : handedIn.body.selection)
    expect(data.selection?.count ?? null).toEqual(handedIn.status === 404 ? null : 3)
  })

  test('and the rest of the page contain nothing of other guests and no key of the gallery', async () => {
    const gallery = await createMarkedGallery()
    await states[state]?.(gallery)
    const { event, ana, ids } = gallery
    const page = (await ana.get(galleryPath(event))).bytes.toString()
    for (const secret of ['Quirin', 'quirin@guests', 'Words of', 'access_key', 'password_hash'])
      expect(page).not.toContain(secret)
    if (state.includes('hidden')) expect(page).not.toContain(`/${ids[0]}"`)
    if (state === 'a category of hidden photos') expect(page).not.toContain('Surprise')
    if (state === 'before the reveal') expect(page).not.toMatch(/thumbnail|\/photo\/|thumbhash|cover\.jpg/)
  })
})

test('pages without access have no data', async () => {
  const locked = await createEvent(api, { require_password: true, password: 'open-sesame' })
  await uploadPhotos(api, locked.id, 1)
  const draft = await createEvent(api, { is_draft: true })
  for (const path of [galleryPath(locked), galleryPath(draft), '/gallery/nothing/x']) {
    const { bytes } = await service.anonymous.get(path)
    expect(bytes.toString()).not.toContain('gallery-data')
  }
})

test('a guest who entered by slug or password does not get the full link', async () => {
  const open = await createEvent(api)
  const locked = await createEvent(api, { require_password: true, password: 'open-sesame' })
  const byPassword = createCookieClient(service.url)
  await byPassword.submit(`/gallery/${locked.slug}/enter`, { password: 'open-sesame' })
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: true })
  const pages = [
    [open, await createCookieClient(service.url).get(`/gallery/${open.slug}`)],
    [locked, await byPassword.get(`/gallery/${locked.slug}`)],
  ] as const
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: false })
  for (const [event, page] of pages) {
    expect(parsePageData(page).share_path).toBeNull()
    expect(page.bytes.toString()).not.toContain(event.share_token)
  }
})
