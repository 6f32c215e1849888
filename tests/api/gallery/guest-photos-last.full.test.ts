import { beforeAll, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { parsePageData } from '../../support/clients/page-data.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

let seeded: number
beforeAll(async () => {
  const categories = (await admin.get('/api/admin/categories/global')).body as Array<{ id: number; name: string }>
  seeded = categories.find(({ name }) => name === 'Guest uploads')?.id ?? 0
})

const createCategory = async ({ id }: TestEvent, name: string): Promise<number> =>
  (await admin.post('/api/admin/categories', { name, event_id: id })).body.id

let seed = 0
async function upload(event: TestEvent, category: number | null): Promise<number> {
  const fields = category === null ? {} : { category_id: String(category) }
  return (await api.upload(event.id, await jpeg({ seed: ++seed }), { name: `photo-${seed}.jpg`, fields })).body.id
}

const create = () => createEvent(api, { default_photo_sort: 'upload_date_asc' })

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

describe('photos of guests', () => {
  test('in the seeded category come last, and the photos before them are not "more"', async () => {
    const event = await create()
    const guests = await upload(event, seeded)
    const own = [await upload(event, null), await upload(event, null), await upload(event, null)]
    const ids = [...own, guests]
    expect(await load(event)).toEqual({
      list: ids,
      outline: ids,
      page: ids,
      categories: [seeded],
      groups: [null, seeded],
      headings: ['Guest uploads'],
    })
    const german = createCookieClient(service.url)
    await german.get(`${new URL(event.share_url).pathname}?language=de`)
    const headings = (await german.get(new URL(event.share_url).pathname)).bytes.toString()
    expect(headings).toContain('<bdi>Fotos von Gästen</bdi><span>1</span>')
    const shown = (await anonymous.get(`${new URL(event.share_url).pathname}?photo=${guests}`)).bytes.toString()
    expect(shown).toContain('<h1>Photo 4 of 4</h1>')
    expect(shown).toContain(`<a rel="prev" href="?photo=${own[2]}"`)
  })

  test('in the upload category of the event come behind the photos without a category', async () => {
    const event = await create()
    const [forGuests, ceremony] = [await createCategory(event, 'From you'), await createCategory(event, 'The ceremony')]
    await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: true, upload_category_id: forGuests })
    const [a, b, c, d, e] = [
      await upload(event, forGuests),
      await upload(event, seeded),
      await upload(event, null),
      await upload(event, ceremony),
      await upload(event, null),
    ]
    expect(await load(event)).toMatchObject({
      list: [d, c, e, b, a],
      outline: [d, c, e, b, a],
      page: [d, c, e, b, a],
      categories: [ceremony, seeded, forGuests],
      groups: [ceremony, null, seeded, forGuests],
      headings: ['The ceremony', 'More photos', 'Guest uploads', 'From you'],
    })
  })
})
