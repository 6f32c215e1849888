import { beforeAll, describe, expect, test } from 'vitest'
import { parsePageData } from '../../support/clients/page-data.ts'
import { expectInvalidField } from '../../support/clients/problems.ts'
import type { TestClient, TestResponse } from '../../support/clients/test-client.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin, anonymous } = service
const names = ['IMG_10.jpg', 'img_2.JPG', 'Fête 100%.jpg', 'IMG_1.jpg', 'hidden.jpg', 'Straße_3.jpg']

let event: TestEvent
let ana: TestClient
let ben: TestClient
let category: number
/** The photo ids by file name. */
let ids: Record<string, number>

const getList = (client: TestClient, query = '', { slug } = event) => client.get(`/api/gallery/${slug}/photos?${query}`)
const listNames = async (client: TestClient, query = ''): Promise<string[]> =>
  (await getList(client, query)).body.photos.map(
    ({ original_filename }: { original_filename: string }) => original_filename,
  )
function parseGridIds({ bytes }: TestResponse): number[] {
  const [, grid = ''] = bytes.toString().split('id="grid"')
  return [...new Set([...grid.matchAll(/\/thumbnail\/(\d+)/g)].map(([, id]) => Number(id)))]
}
const giveFeedback = (client: TestClient, name: string, feedback_type: string, more: object = {}) =>
  client.post(`/api/gallery/${event.slug}/photos/${ids[name]}/feedback`, { feedback_type, ...more })
const changePhoto = (name: string, body: object) =>
  admin.patch(`/api/admin/photos/${event.id}/photos/${ids[name]}`, body)

beforeAll(async () => {
  event = await createEvent(api, { default_photo_sort: 'filename_desc' })
  category = (await admin.post('/api/admin/categories', { name: 'Ceremony', event_id: event.id })).body.id
  ids = {}
  for (const [seed, name] of names.entries()) {
    ids[name] = (await api.upload(event.id, await jpeg({ seed }), { name })).body.id
  }
  ana = await enterAsGuest(service, event)
  ben = await enterAsGuest(service, event)
  await giveFeedback(ana, 'IMG_10.jpg', 'like')
  await giveFeedback(ana, 'img_2.JPG', 'favorite')
  await giveFeedback(ana, 'img_2.JPG', 'color_label', { color_label: 'red' })
  await giveFeedback(ana, 'IMG_1.jpg', 'comment', { comment_text: 'Waits for approval' })
  await giveFeedback(ben, 'Straße_3.jpg', 'rating', { rating: 4 })
  await giveFeedback(ben, 'IMG_1.jpg', 'rating', { rating: 5 })
  await giveFeedback(ben, 'hidden.jpg', 'like')
  await changePhoto('hidden.jpg', { visibility: 'hidden', category_id: category })
  await changePhoto('IMG_10.jpg', { category_id: category })
  await changePhoto('IMG_1.jpg', { category_id: 'collage' })
})

test('the list has the sort order of the event, and so has the page', async () => {
  const sorted = ['Straße_3.jpg', 'IMG_10.jpg', 'img_2.JPG', 'IMG_1.jpg', 'Fête 100%.jpg']
  expect(await listNames(ana)).toEqual(sorted)
  const page = await anonymous.get(new URL(event.share_url).pathname)
  const grouped = ['IMG_10.jpg', ...sorted.filter((name) => name !== 'IMG_10.jpg')]
  expect(parseGridIds(page)).toEqual(grouped.map((name) => ids[name]))
})

test('the list returns the total and filtered number of photos, and ignores empty filters and `all`', async () => {
  const { pagination } = (await getList(ana, 'filter=liked,favorited&limit=1')).body
  expect(pagination).toEqual({ page: 1, limit: 1, total: 5, filtered: 2, pages: 2 })
  const { photos, pagination: beyond } = (await getList(ana, 'search=zzz&page=3')).body
  expect([photos, beyond]).toEqual([[], { page: 3, limit: 50, total: 5, filtered: 0, pages: 0 }])
  for (const query of ['nothing=1', 'filter=&color_label=&category_id=&search=', 'filter=all&color_label=all']) {
    expect(await listNames(ana, query)).toHaveLength(5)
  }
})

test('the list rejects invalid parameters', async () => {
  for (const [query, path] of [
    ['filter=disliked', 'filter'],
    ['filter=liked&filter=rated', 'filter'],
    ['color_label=pink', 'color_label'],
    ['category_id=0', 'category_id'],
    ['category_id=9007199254740993', 'category_id'],
    ['category_id=nothing', 'category_id'],
    [`search=${'a'.repeat(201)}`, 'search'],
    ['search=%00', 'search'],
    ['sort=beauty', 'sort'],
    ['order=up', 'order'],
    ['sort=filename_asc&order=desc', 'order'],
    ['limit=101', 'limit'],
    ['media_type=sound', 'media_type'],
    ...['0', '6', '-1', '4.5', 'many', '1,2'].map((stars) => [`my_min_rating=${stars}`, 'my_min_rating'] as const),
  ] as const) {
    expectInvalidField(await getList(ana, query), path)
  }
})

test('filters cover the feedback of the guest, and for operators that of all guests', {
  tags: 'database',
}, async () => {
  for (const [client, query, found] of [
    [ana, 'filter=liked', ['IMG_10.jpg']],
    [ana, 'filter=liked,favorited', ['IMG_10.jpg', 'img_2.JPG']],
    [ana, 'filter=rated', []],
    [ben, 'filter=rated', ['Straße_3.jpg', 'IMG_1.jpg']],
    // Ben likes only the hidden photo.
    [ben, 'filter=liked', []],
    [admin, 'filter=liked', ['IMG_10.jpg', 'hidden.jpg']],
    // The comment of Ana is not approved.
    [ana, 'filter=commented', ['IMG_1.jpg']],
    [ben, 'filter=commented', []],
    [admin, 'filter=commented', []],
    [ana, 'color_label=red,blue', ['img_2.JPG']],
    [ana, 'filter=favorited&color_label=red', ['img_2.JPG']],
    [ana, 'filter=liked&color_label=red', []],
    [ben, 'color_label=red', []],
    [admin, 'color_label=red', ['img_2.JPG']],
    [ben, 'my_min_rating=4', ['Straße_3.jpg', 'IMG_1.jpg']],
    [ben, 'my_min_rating=5', ['IMG_1.jpg']],
    [ana, 'my_min_rating=1', []],
    [admin, 'my_min_rating=5', ['IMG_1.jpg']],
  ] as const) {
    expect([query, await listNames(client, query)]).toEqual([query, found])
  }
})

test('category_id accepts an id and three words; hidden photos do not count for guests', {
  tags: 'database',
}, async () => {
  for (const [value, found] of [
    [category, ['IMG_10.jpg']],
    ['collage', ['IMG_1.jpg']],
    ['individual', []],
    ['uncategorized', ['Straße_3.jpg', 'img_2.JPG', 'Fête 100%.jpg']],
    [999_999, []],
  ] as const) {
    expect(await listNames(ana, `category_id=${value}`)).toEqual(found)
  }
  const getPhotoCounts = async (client: TestClient) =>
    (await getList(client)).body.categories.map(({ id, photo_count }: Record<string, number>) => [id, photo_count])
  expect(await getPhotoCounts(ana)).toEqual([[category, 1]])
  expect(await getPhotoCounts(admin)).toEqual([[category, 2]])
  await changePhoto('IMG_10.jpg', { visibility: 'hidden' })
  expect(await getPhotoCounts(ana)).toEqual([])
  await changePhoto('IMG_10.jpg', { visibility: 'visible' })
})

describe('search', () => {
  test('finds parts of names, whatever their case and form, and takes wildcards literally', {
    tags: 'database',
  }, async () => {
    for (const [text, found] of [
      ['IMG_', ['IMG_10.jpg', 'img_2.JPG', 'IMG_1.jpg']],
      ['STRASSE', ['Straße_3.jpg']],
      ['fe\u0302te', ['Fête 100%.jpg']],
      ['%', ['Fête 100%.jpg']],
      ['_', ['Straße_3.jpg', 'IMG_10.jpg', 'img_2.JPG', 'IMG_1.jpg', 'Fête 100%.jpg']],
      ['0%', ['Fête 100%.jpg']],
      ['i%g', []],
      ['hidden', []],
      ['/', []],
    ] as const) {
      expect([text, await listNames(ana, `search=${encodeURIComponent(text)}`)]).toEqual([text, found])
    }
  })

  test('finds the stored name as well, and only the new names after a replace', async () => {
    const other = await createEvent(api, { default_photo_sort: 'filename_asc' })
    const guest = await enterAsGuest(service, other)
    const [first, second] = await uploadPhotos(api, other.id, 2)
    const search = async (text: string) =>
      (await getList(guest, `search=${text}`, other)).body.photos.map(({ id }: { id: number }) => id)
    const replaced = { name: 'zebra.jpg', fields: { replaces_photo_id: first as number } }
    const { body } = await api.upload(other.id, await jpeg({ seed: 7 }), replaced)
    expect(await search('zebra')).toEqual([first])
    expect(await search('photo-1')).toEqual([])
    expect(await search(body.photo.filename.toUpperCase())).toEqual([first])
    expect(await search(body.photo.previous_filename)).toEqual([])
    // The sort uses the name of the first file, which a replace keeps.
    expect(await search('.jpg')).toEqual([first, second])
  })
})

describe('sort', () => {
  test('by name compares numbers by value; date, name and direction have two spellings', {
    tags: 'database',
  }, async () => {
    const byName = ['Fête 100%.jpg', 'IMG_1.jpg', 'img_2.JPG', 'IMG_10.jpg', 'Straße_3.jpg']
    for (const query of ['sort=filename', 'sort=name_asc', 'order=asc', 'sort=filename&order=asc']) {
      expect(await listNames(ana, query)).toEqual(byName)
    }
    expect(await listNames(ana, 'sort=name&order=desc')).toEqual(byName.toReversed())
    const byDate = names.filter((name) => name !== 'hidden.jpg')
    for (const query of ['sort=upload_date', 'sort=date_asc']) expect(await listNames(ana, query)).toEqual(byDate)
    expect(await listNames(ana, 'sort=upload_date_desc')).toEqual(byDate.toReversed())
  })

  test('by rating shows the best first and unrated photos last, in both directions', { tags: 'database' }, async () => {
    const rated = ['IMG_1.jpg', 'Straße_3.jpg']
    expect((await listNames(ana, 'sort=rating')).slice(0, 2)).toEqual(rated)
    expect((await listNames(ana, 'sort=rating_asc')).slice(0, 2)).toEqual(rated.toReversed())
    expect(await listNames(ana, 'sort=rating&limit=2&page=2')).toEqual(['Fête 100%.jpg', 'img_2.JPG'])
  })

  test('by rating is rejected if guests do not see others’ feedback, and no filter reveals it', async () => {
    await api.patch(`/api/v1/events/${event.id}`, { show_feedback_to_guests: false })
    expectInvalidField(await getList(ana, 'sort=rating'), 'sort')
    expect(await listNames(ana, 'filter=rated')).toEqual([])
    expect((await getList(admin, 'sort=rating')).status).toBe(200)
    expect((await getList(ana, 'sort=filename')).body.photos[1]).toMatchObject({ average_rating: 0, feedback_count: 0 })
    await api.patch(`/api/v1/events/${event.id}`, { show_feedback_to_guests: true })
  })
})

test('media_type separates videos from images', async () => {
  const mixed = await createEvent(api, { default_photo_sort: 'filename_asc' })
  const image = { uploadedAt: 1_700_000_000_000, visibility: 'visible' as const, name: 'a.jpg' }
  await addPhotoRows(service, mixed.id, [image, { ...image, name: 'b.mp4', mediaType: 'video' }])
  const guest = await enterAsGuest(service, mixed)
  const listFound = async (query: string) =>
    (await getList(guest, query, mixed)).body.photos.map(
      ({ original_filename: name }: { original_filename: string }) => name,
    )
  expect(await listFound('media_type=video')).toEqual(['b.mp4'])
  expect(await listFound('media_type=image')).toEqual(['a.jpg'])
  expect(await listFound('media_type=')).toEqual(['a.jpg', 'b.mp4'])
  expect((await getList(guest, '', mixed)).body.video_count).toBe(1)
  expect((await admin.get(`/api/admin/events/${mixed.id}`)).body).toMatchObject({ photo_count: 2, video_count: 1 })
})

describe('the outline of a gallery', () => {
  const getOutline = (client: TestClient, query = '', { slug } = event) =>
    client.get(`/api/gallery/${slug}/outline?${query}`)

  test('has id, width and height of the listed photos, in list order', async () => {
    for (const query of ['', 'filter=liked,favorited', 'search=img', 'sort=size_desc', 'page=2&limit=2']) {
      const { photos, pagination } = (await getList(ana, query)).body
      const outline = (await getOutline(ana, query)).body
      const sized = photos.map(({ id, width, height }: Record<string, number>) => [id, width, height])
      expect(outline.photos).toEqual(sized)
      const { page, limit, pages, ...counts } = pagination
      expect(outline.pagination).toMatchObject(counts)
    }
    expect((await getOutline(ana)).body.photos).toHaveLength(5)
    expect((await getOutline(admin)).body.photos).toHaveLength(6)
  })

  test('returns up to 10,000 at once', async () => {
    const large = await createEvent(api)
    const photo = { uploadedAt: 1_700_000_000_000, visibility: 'visible' as const }
    await addPhotoRows(
      service,
      large.id,
      Array.from({ length: 10_001 }, () => photo),
    )
    const { photos, pagination } = (await getOutline(await enterAsGuest(service, large), '', large)).body
    expect(photos).toHaveLength(10_000)
    expect(pagination).toEqual({ page: 1, limit: 10_000, total: 10_001, filtered: 10_001, pages: 2 })
    expect(photos[0]).toEqual([expect.any(Number), null, null])
    expectInvalidField(await getOutline(ana, 'limit=10001'), 'limit')
  })

  test('shows each change of a photo at the next request, compressed or not', async () => {
    const own = await createEvent(api)
    const login = { slug: own.slug, token: own.share_token }
    const { token } = (await anonymous.post('/api/auth/gallery/share-login', login)).body
    const listSizes = async () => {
      const [plain, compressed] = await Promise.all(
        ['identity', 'gzip'].map(async (encoding) => {
          const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding }
          const response = await fetch(`${service.url}/api/gallery/${own.slug}/outline?sort=upload_date_asc`, {
            headers,
          })
          return { encoding: response.headers.get('content-encoding'), body: await response.json() }
        }),
      )
      expect([plain?.encoding, compressed?.encoding]).toEqual([null, 'gzip'])
      expect(compressed?.body).toEqual(plain?.body)
      return plain?.body.photos
    }
    const first = (await api.upload(own.id, await jpeg({ width: 40, height: 30 }))).body.id
    expect(await listSizes()).toEqual([[first, 40, 30]])
    const second = (await api.upload(own.id, await jpeg({ width: 20, height: 10 }))).body.id
    expect(await listSizes()).toEqual([
      [first, 40, 30],
      [second, 20, 10],
    ])
    await admin.patch(`/api/admin/photos/${own.id}/photos/${first}`, { visibility: 'hidden' })
    expect(await listSizes()).toEqual([[second, 20, 10]])
    await api.upload(own.id, await jpeg({ width: 50, height: 50 }), { fields: { replaces_photo_id: second } })
    expect(await listSizes()).toEqual([[second, 50, 50]])
    await admin.delete(`/api/admin/photos/${own.id}/photos/${second}`)
    expect(await listSizes()).toEqual([])
  })
})

describe('the filters of the list in the URL of the page', () => {
  const pageNames = async (client: TestClient, query: string) => {
    const cookie = `gallery_${event.id}=${client.token}`
    const page = await anonymous.get(`${new URL(event.share_url).pathname}?${query}`, { cookie })
    expect(page.status).toBe(200)
    return parseGridIds(page).map((id) => names.find((name) => ids[name] === id))
  }

  test('shows the same as the list', async () => {
    for (const query of [
      'filter=liked,favorited&color_label=red',
      'category_id=collage',
      'search=img&sort=filename_asc',
      'media_type=image&my_min_rating=',
    ]) {
      const grouped = query.includes('sort=') ? query : `${query}&group=category`
      expect(await pageNames(ana, query)).toEqual(await listNames(ana, grouped))
    }
  })

  test('shows all if one is invalid, and leaves the others in effect', async () => {
    for (const query of [
      'filter=disliked',
      'color_label=pink',
      'sort=colour',
      'my_min_rating=9',
      'media_type=sound',
      'search=no%00thing',
      'category_id=1%00',
      '%00=1',
      'search=%FF&search=b',
    ]) {
      expect([query, await pageNames(ana, query)]).toEqual([query, expect.objectContaining({ length: 5 })])
    }
    expect(await pageNames(ana, 'my_min_rating=9&search=fête')).toEqual(['Fête 100%.jpg'])
    expect(await pageNames(ana, 'search=fête&search=img&filter=liked')).toEqual(['IMG_10.jpg'])
  })
})

test('before reveal_at guests find, count and sort nothing', async () => {
  const secret = await createEvent(api, { reveal_at: '2999-01-01' })
  await uploadPhotos(api, secret.id, 1)
  const guest = await enterAsGuest(service, secret)
  const pagination = { page: 1, limit: 50, total: 0, filtered: 0, pages: 0 }
  const nothing = { photos: [], categories: [], hidden_until_reveal: true, pagination }
  for (const query of ['', 'search=photo', 'sort=rating', 'category_id=uncategorized']) {
    expect((await getList(guest, query, secret)).body).toMatchObject(nothing)
  }
  const { body } = await guest.get(`/api/gallery/${secret.slug}/outline`)
  expect([body.photos, body.pagination.total]).toEqual([[], 0])
})

/** Returns the photo ids of the list, of the outline and of the page, the groups, and the headings of the page. */
async function loadOrder(event: TestEvent) {
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
  const categories = (await admin.get('/api/admin/categories/global')).body as Array<{ id: number; name: string }>
  const seeded = categories.find(({ name }) => name === 'Guest uploads')?.id ?? 0
  const upload = async (category_id?: number): Promise<number> =>
    (await api.upload(event.id, await jpeg({ seed: 8 }), { fields: category_id ? { category_id } : {} })).body.id
  const guests = await upload(seeded)
  const own = [await upload(), await upload(), await upload()]
  const ids = [...own, guests]
  const order = { list: ids, outline: ids, page: ids }
  const groups = { categories: [seeded], groups: [null, seeded], headings: ['Guest uploads'] }
  expect(await loadOrder(event)).toEqual({ ...order, ...groups })
  const path = new URL(event.share_url).pathname
  const german = (await anonymous.get(path, { 'accept-language': 'de' })).bytes.toString()
  expect(german).toContain('<bdi>Fotos von Gästen</bdi><span>1</span>')
  const shown = (await anonymous.get(`${path}?photo=${guests}`)).bytes.toString()
  expect(shown).toContain('<h1>Photo 4 of 4</h1>')
  expect(shown).toContain(`<a rel="prev" href="?photo=${own[2]}"`)

  // The upload category of the event comes behind the seeded one.
  const createCategory = async (name: string): Promise<number> =>
    (await admin.post('/api/admin/categories', { name, event_id: event.id })).body.id
  const [forGuests, ceremony] = [await createCategory('From you'), await createCategory('The ceremony')]
  await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: true, upload_category_id: forGuests })
  const [a, b] = [await upload(forGuests), await upload(ceremony)]
  expect(await loadOrder(event)).toEqual({
    list: [b, ...ids, a],
    outline: [b, ...ids, a],
    page: [b, ...ids, a],
    categories: [ceremony, seeded, forGuests],
    groups: [ceremony, null, seeded, forGuests],
    headings: ['The ceremony', 'More photos', 'Guest uploads', 'From you'],
  })
})
