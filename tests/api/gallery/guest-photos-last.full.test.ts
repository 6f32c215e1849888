import { expect, test } from 'vitest'
import { parsePageData } from '../../support/clients/page-data.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

const categories = (await admin.get('/api/admin/categories/global')).body as Array<{ id: number; name: string }>
const seeded = categories.find(({ name }) => name === 'Guest uploads')?.id ?? 0

let seed = 0
async function upload(event: TestEvent, category: number | null): Promise<number> {
  const fields = category === null ? {} : { category_id: String(category) }
  return (await api.upload(event.id, await jpeg({ seed: ++seed }), { name: `photo-${seed}.jpg`, fields })).body.id
}

/** Returns the photo ids of the list, of the outline and of the page, the groups, and the headings of the page. */
async function load(event: TestEvent) {
  const guest = await enterAsGuest(service, event)
  const list = await guest.get(`/api/gallery/${event.slug}/photos?group=category`)
  const outline = (await guest.get(`/api/gallery/${event.slug}/outline?group=category`)).body
  const page = await anonymous.get(new URL(event.share_url).pathname)
  const headings = [...page.bytes.toString().matchAll(/<h2 id="category-[^>]*><bdi>([^<]+)/g)].map(([, name]) => name)
  return {
    list: list.body.photos.map(({ id }: { id: number }) => id),
    outline: outline.photos.map(([id]: [number]) => id),
    page: parsePageData(page).photos.map(({ id }: { id: number }) => id),
    categories: list.body.categories.map(({ id }: { id: number }) => id),
    groups: outline.groups.map(({ category_id }: { category_id: number | null }) => category_id),
    headings,
  }
}

test('photos of guests come last, behind those without a category, which are then not "more"', async () => {
  const event = await createEvent(api, { default_photo_sort: 'upload_date_asc' })
  const guests = await upload(event, seeded)
  const own = [await upload(event, null), await upload(event, null)]
  const ids = [...own, guests]
  const order = { list: ids, outline: ids, page: ids }
  const groups = { categories: [seeded], groups: [null, seeded], headings: ['Guest uploads'] }
  expect(await load(event)).toEqual({ ...order, ...groups })
  const path = new URL(event.share_url).pathname
  const german = (await anonymous.get(path, { 'accept-language': 'de' })).bytes.toString()
  expect(german).toContain('<bdi>Fotos von Gästen</bdi><span>1</span>')
  const shown = (await anonymous.get(`${path}?photo=${guests}`)).bytes.toString()
  expect(shown).toContain('<h1>Photo 3 of 3</h1>')
  expect(shown).toContain(`<a rel="prev" href="?photo=${own[1]}"`)

  // The upload category of the event comes behind the seeded one.
  const createCategory = async (name: string): Promise<number> =>
    (await admin.post('/api/admin/categories', { name, event_id: event.id })).body.id
  const [forGuests, ceremony] = [await createCategory('From you'), await createCategory('The ceremony')]
  await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: true, upload_category_id: forGuests })
  const [a, b] = [await upload(event, forGuests), await upload(event, ceremony)]
  expect(await load(event)).toEqual({
    list: [b, ...ids, a],
    outline: [b, ...ids, a],
    page: [b, ...ids, a],
    categories: [ceremony, seeded, forGuests],
    groups: [ceremony, null, seeded, forGuests],
    headings: ['The ceremony', 'More photos', 'Guest uploads', 'From you'],
  })
})
