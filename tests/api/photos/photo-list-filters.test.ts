import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

const names = [
  'plain',
  'commented',
  'liked',
  'red by guests',
  'green over red by guests',
  'five stars by guests',
  'three and a half by guests',
  'my four stars',
  'my blue',
  'both',
  'hidden and both',
] as const
type Name = (typeof names)[number]

let event: TestEvent
let ids: Record<Name, number>
let colleague: Account

beforeAll(async () => {
  event = await createEvent(api, { moderate_comments: false })
  const rows = names.map((name, index) => ({
    uploadedAt: 1_700_000_000_000 + index,
    visibility: name.startsWith('hidden') ? ('hidden' as const) : ('visible' as const),
  }))
  const added = await addPhotoRows(service, event.id, rows)
  ids = Object.fromEntries(names.map((name, index) => [name, added[index]])) as typeof ids
  await markAll()
})

async function markAll(): Promise<void> {
  const [ana, ben] = (await Promise.all([1, 2].map(() => enterAsGuest(service, event)))) as [TestClient, TestClient]
  const give = (guest: TestClient, name: Name, feedback_type: string, value: object = {}) =>
    guest.post(`/api/gallery/${event.slug}/photos/${ids[name]}/feedback`, { feedback_type, ...value })
  const rate = (guest: TestClient, name: Name, rating: number) => give(guest, name, 'rating', { rating })
  const label = (guest: TestClient, name: Name, color_label: string) =>
    give(guest, name, 'color_label', { color_label })
  const mark = ({ admin }: Pick<Account, 'admin'>, name: Name, body: object) =>
    admin.put(`/api/admin/photos/${event.id}/photos/${ids[name]}/mark`, body)

  await give(ana, 'commented', 'comment', { comment_text: 'How nice' })
  await give(ana, 'liked', 'like')
  await give(ben, 'liked', 'favorite')
  await label(ana, 'red by guests', 'red')
  await label(ana, 'green over red by guests', 'red')
  await label(ben, 'green over red by guests', 'green')
  await rate(ana, 'five stars by guests', 5)
  await rate(ana, 'three and a half by guests', 3)
  await rate(ben, 'three and a half by guests', 4)
  await mark(service, 'my four stars', { rating: 4 })
  await mark(service, 'my blue', { color_label: 'blue' })
  for (const name of ['both', 'hidden and both'] as const) {
    // A hidden photo takes no feedback, but keeps the feedback that was given before.
    await show(name)
    await rate(ana, name, 2)
    await label(ana, name, 'yellow')
    await mark(service, name, { rating: 3, color_label: 'purple' })
    if (name === 'hidden and both') await hide(name)
  }
  colleague = await createAccount(service, 'super_admin')
  for (const name of ['plain', 'my blue', 'both'] as const) {
    await mark(colleague, name, { rating: 5, color_label: 'green' })
  }
}

const setVisibility = (name: Name, visibility: string) =>
  admin.patch(`/api/admin/photos/${event.id}/photos/${ids[name]}`, { visibility })
const show = (name: Name) => setVisibility(name, 'visible')
const hide = (name: Name) => setVisibility(name, 'hidden')

const requestList = (query: Record<string, string> | string = {}, client = api) =>
  client.get(`/api/v1/events/${event.id}/photos?${new URLSearchParams(query)}`)
const list = async (query: Record<string, string> | string = {}, client = api) => {
  const { status, body } = await requestList(query, client)
  expect(status).toBe(200)
  return body
}
const findName = (id: number) => names.find((name) => ids[name] === id)
const photoNames = ({ photos }: { photos: Array<{ id: number }> }) => photos.map(({ id }) => findName(id))
const listNames = async (query: Record<string, string> | string = {}, client = api) =>
  photoNames(await list(query, client))

const markedByGuests: Name[] = [
  'red by guests',
  'green over red by guests',
  'five stars by guests',
  'three and a half by guests',
  'both',
  'hidden and both',
]
const markedByMe: Name[] = ['my four stars', 'my blue', 'both', 'hidden and both']
const markedByEither = names.filter((name) => markedByGuests.includes(name) || markedByMe.includes(name))
const all = [...names]
const inListOrder = (...wanted: Name[]) => names.filter((name) => wanted.includes(name))

describe('without a filter', () => {
  test('all photos are listed, hidden ones included, with their visibility', async () => {
    const { photos, pagination } = await list()
    expect(photoNames({ photos })).toEqual(all)
    expect(pagination).toEqual({ page: 1, next: null, limit: 50, total: 11, filtered: 11, pages: 1 })
    const hidden = photos.filter(({ visibility }: { visibility: string }) => visibility === 'hidden')
    expect(photoNames({ photos: hidden })).toEqual(['hidden and both'])
  })

  test('the defaults are page 1, limit 50, marked_only false, mark_source either, logic AND', async () => {
    const defaults = { page: '1', limit: '50', marked_only: 'false', mark_source: 'either', logic: 'AND' }
    const without = await list()
    expect(await list(defaults)).toEqual(without)
    for (const [name, value] of Object.entries(defaults)) expect(await list({ [name]: value })).toEqual(without)
  })

  const noFilters = [
    'color_labels=',
    'color_labels=all',
    'my_color_labels=',
    'my_color_labels=all',
    'min_rating=',
    'min_rating=0',
    'min_rating=0.0',
    'my_min_rating=',
    'marked_only=false',
  ]
  test.each(noFilters)('%s is no filter, alone and with others, also under OR', async (none) => {
    for (const logic of ['AND', 'OR']) {
      expect(await listNames(`${none}&logic=${logic}`)).toEqual(all)
      const { pagination } = await list(`${none}&logic=${logic}`)
      expect(pagination).toMatchObject({ total: 11, filtered: 11 })
    }
    if (none.startsWith('my_min_rating')) expect(await listNames(`${none}&color_labels=red&logic=OR`)).toHaveLength(2)
    else expect(await listNames(`${none}&my_min_rating=4&logic=OR`)).toEqual(['my four stars'])
  })

  test('several empty ones are no filter, under OR and AND', async () => {
    const empty = 'color_labels=&my_color_labels=all&min_rating=0&my_min_rating='
    for (const logic of ['AND', 'OR']) {
      expect(await listNames(`${empty}&logic=${logic}`)).toEqual(all)
      expect(await listNames(`${empty}&logic=${logic}&marked_only=true`)).toEqual(markedByEither)
    }
  })

  test('unknown parameters are ignored', async () => {
    expect(await listNames('something=else&min_ratings=9&color_label=orange')).toEqual(all)
  })
})

describe('marked_only', () => {
  test.each([
    ['either', markedByEither],
    ['client', markedByGuests],
    ['mine', markedByMe],
  ])('with mark_source=%s lists only photos with stars or a color from it', async (mark_source, expected) => {
    for (const logic of ['AND', 'OR']) {
      const body = await list({ marked_only: 'true', mark_source, logic })
      expect(photoNames(body)).toEqual(expected)
      expect(body.pagination).toEqual({
        page: 1,
        next: null,
        limit: 50,
        total: 11,
        filtered: expected.length,
        pages: 1,
      })
    }
  })

  test('alone means either', async () => {
    expect(await listNames({ marked_only: 'true' })).toEqual(markedByEither)
  })

  test('counts only stars and colors, not likes, favorites or comments', async () => {
    const [commented, liked] = (await list()).photos.slice(1, 3)
    expect(commented).toMatchObject({ comment_count: 1, feedback_count: 1, like_count: 0 })
    expect(liked).toMatchObject({ like_count: 1, favorite_count: 1, feedback_count: 2 })
    for (const mark_source of ['client', 'mine', 'either']) {
      const marked = await listNames({ marked_only: 'true', mark_source })
      expect(marked).not.toContain('commented')
      expect(marked).not.toContain('liked')
    }
  })

  test('uses for mine the marks of the token owner, not those of other admins', async () => {
    expect(await listNames({ marked_only: 'true', mark_source: 'mine' }, colleague.api)).toEqual(
      inListOrder('plain', 'my blue', 'both'),
    )
  })

  test('false filters nothing, with any source', async () => {
    for (const mark_source of ['client', 'mine', 'either']) {
      expect(await listNames({ marked_only: 'false', mark_source })).toEqual(all)
    }
  })
})

describe('mark_source', () => {
  const loadMergedMarks = async (mark_source: string, name: Name) => {
    const { photos } = await list({ mark_source })
    const { rating, color_label } = photos.find(({ id }: { id: number }) => id === ids[name])
    return { rating, color_label }
  }

  test.each<[Name, object, object, object]>([
    ['plain', { rating: null, color_label: null }, { rating: null, color_label: null }, {}],
    ['liked', { rating: null, color_label: null }, { rating: null, color_label: null }, {}],
    [
      'green over red by guests',
      { rating: null, color_label: 'green' },
      { rating: null, color_label: null },
      { color_label: 'green' },
    ],
    [
      'three and a half by guests',
      { rating: 4, color_label: null },
      { rating: null, color_label: null },
      { rating: 4 },
    ],
    ['my four stars', { rating: null, color_label: null }, { rating: 4, color_label: null }, { rating: 4 }],
    [
      'both',
      { rating: 2, color_label: 'yellow' },
      { rating: 3, color_label: 'purple' },
      { rating: 3, color_label: 'purple' },
    ],
  ])('determines the merged color_label and rating of %s', async (name, client, mine, either) => {
    expect(await loadMergedMarks('client', name)).toEqual(client)
    expect(await loadMergedMarks('mine', name)).toEqual(mine)
    expect(await loadMergedMarks('either', name)).toEqual({ rating: null, color_label: null, ...either })
  })

  test('changes no other value of a photo and no other filter', async () => {
    const fields = { rating: null, color_label: null }
    const without = (await list({ color_labels: 'red,yellow' })).photos
    for (const mark_source of ['client', 'mine', 'either']) {
      const { photos } = await list({ color_labels: 'red,yellow', mark_source })
      const withoutMarks = (photo: object) => ({ ...photo, ...fields })
      expect(photos.map(withoutMarks)).toEqual(without.map(withoutMarks))
    }
  })
})

describe('color_labels', () => {
  test('finds photos with at least one label of a listed color, not only the dominant one', async () => {
    expect(await listNames({ color_labels: 'red' })).toEqual(inListOrder('red by guests', 'green over red by guests'))
    expect(await listNames({ color_labels: 'green' })).toEqual(['green over red by guests'])
    expect(await listNames({ color_labels: 'yellow,red' })).toEqual(
      inListOrder('red by guests', 'green over red by guests', 'both', 'hidden and both'),
    )
    expect(await listNames({ color_labels: 'blue' })).toEqual([])
  })

  test('uses only guests, and my_color_labels only the token owner', async () => {
    expect(await listNames({ color_labels: 'purple' })).toEqual([])
    expect(await listNames({ my_color_labels: 'purple' })).toEqual(inListOrder('both', 'hidden and both'))
    expect(await listNames({ my_color_labels: 'red,yellow,green' })).toEqual([])
    expect(await listNames({ my_color_labels: 'blue,purple' })).toEqual(
      inListOrder('my blue', 'both', 'hidden and both'),
    )
    expect(await listNames({ my_color_labels: 'green' }, colleague.api)).toEqual(
      inListOrder('plain', 'my blue', 'both'),
    )
  })

  test('ignores order, spaces, duplicates and extra commas', async () => {
    const expected = await listNames({ color_labels: 'red,yellow' })
    for (const color_labels of ['yellow,red', ' red , yellow ', 'red,red,yellow', ',red,,yellow,']) {
      expect(await listNames({ color_labels })).toEqual(expected)
    }
  })

  test('with all in the list is all', async () => {
    expect(await listNames({ color_labels: 'red,all' })).toEqual(all)
    expect(await listNames({ my_color_labels: ' all , blue', my_min_rating: '4', logic: 'OR' })).toEqual([
      'my four stars',
    ])
  })

  test('of all five finds photos with any label, unlike no filter', async () => {
    const every = 'red,yellow,green,blue,purple'
    expect(await listNames({ color_labels: every })).toEqual(
      inListOrder('red by guests', 'green over red by guests', 'both', 'hidden and both'),
    )
    expect(await listNames({ my_color_labels: every })).toEqual(inListOrder('my blue', 'both', 'hidden and both'))
  })

  test.each(['orange', 'Red', 'red;blue', 'red,orange', 'orange,all', 'all,orange', 'ALL', 'none', '1', '[red]'])(
    '%j is not a color: 400',
    async (colors) => {
      expectInvalidField(await requestList({ color_labels: colors }), 'color_labels')
      expectInvalidField(await requestList({ my_color_labels: colors }), 'my_color_labels')
      expectInvalidField(await requestList({ color_labels: colors, logic: 'OR', marked_only: 'true' }), 'color_labels')
    },
  )
})

describe('min_rating', () => {
  test.each([
    ['1', inListOrder('five stars by guests', 'three and a half by guests', 'both', 'hidden and both')],
    ['2', inListOrder('five stars by guests', 'three and a half by guests', 'both', 'hidden and both')],
    ['2.01', inListOrder('five stars by guests', 'three and a half by guests')],
    ['3.5', inListOrder('five stars by guests', 'three and a half by guests')],
    ['3.51', inListOrder('five stars by guests')],
    ['4', inListOrder('five stars by guests')],
    ['5', inListOrder('five stars by guests')],
    ['0.001', inListOrder('five stars by guests', 'three and a half by guests', 'both', 'hidden and both')],
    ['0.000000001', inListOrder('five stars by guests', 'three and a half by guests', 'both', 'hidden and both')],
  ])('%s is compared with the star average of the guests', async (min_rating, expected) => {
    expect(await listNames({ min_rating })).toEqual(expected)
  })

  test.each([
    ['1', inListOrder('my four stars', 'both', 'hidden and both')],
    ['3', inListOrder('my four stars', 'both', 'hidden and both')],
    ['3.5', inListOrder('my four stars')],
    ['4', inListOrder('my four stars')],
    ['5', []],
  ])('my_min_rating %s is compared with the own stars', async (my_min_rating, expected) => {
    expect(await listNames({ my_min_rating })).toEqual(expected)
  })

  test('my_min_rating ignores the stars of other admins', async () => {
    expect(await listNames({ my_min_rating: '5' }, colleague.api)).toEqual(inListOrder('plain', 'my blue', 'both'))
  })

  test.each(['-1', '-0.01', '5.01', '6', '999', 'five', '4,5', 'NaN', 'Infinity', 'true', 'null', '3 stars'])(
    '%j is 400, never clamped',
    async (value) => {
      expectInvalidField(await requestList({ min_rating: value }), 'min_rating')
      expectInvalidField(await requestList({ my_min_rating: value }), 'my_min_rating')
    },
  )

  test.each(['0', '0.5', '0.99'])('my_min_rating %s is 400: its minimum is 1', async (my_min_rating) => {
    expectInvalidField(await requestList({ my_min_rating }), 'my_min_rating')
  })

  test('named twice is 400', async () => {
    expectInvalidField(await requestList('min_rating=1&min_rating=2'), 'min_rating')
    expectInvalidField(await requestList('color_labels=red&color_labels=blue'), 'color_labels')
  })
})

describe('several filters', () => {
  const red = { color_labels: 'red' }
  const mine = { my_min_rating: '3' }

  test('must all match with AND, which is the default', async () => {
    expect(await listNames({ ...red, ...mine })).toEqual([])
    expect(await listNames({ color_labels: 'yellow', my_color_labels: 'purple', logic: 'AND' })).toEqual(
      inListOrder('both', 'hidden and both'),
    )
    expect(
      await listNames({ color_labels: 'yellow', min_rating: '2', my_min_rating: '3', my_color_labels: 'blue' }),
    ).toEqual([])
    expect(
      await listNames({ color_labels: 'yellow', min_rating: '2', my_min_rating: '3', my_color_labels: 'blue,purple' }),
    ).toEqual(inListOrder('both', 'hidden and both'))
  })

  test('need only one match with OR', async () => {
    expect(await listNames({ ...red, ...mine, logic: 'OR' })).toEqual(
      inListOrder('red by guests', 'green over red by guests', 'my four stars', 'both', 'hidden and both'),
    )
    expect(await listNames({ my_color_labels: 'blue', my_min_rating: '4', logic: 'OR' })).toEqual(
      inListOrder('my four stars', 'my blue'),
    )
    expect(await listNames({ color_labels: 'green', min_rating: '5', logic: 'OR' })).toEqual(
      inListOrder('green over red by guests', 'five stars by guests'),
    )
  })

  test('list and count a photo once, even if several match under OR', async () => {
    const body = await list({ color_labels: 'yellow', my_color_labels: 'purple', min_rating: '1', logic: 'OR' })
    const expected = inListOrder('five stars by guests', 'three and a half by guests', 'both', 'hidden and both')
    expect(photoNames(body)).toEqual(expected)
    expect(body.pagination.filtered).toBe(expected.length)
  })

  test('are the same as one under OR if there is only one', async () => {
    for (const filter of [red, mine, { min_rating: '4' }, { my_color_labels: 'blue' }]) {
      expect(await list({ ...filter, logic: 'OR' })).toEqual(await list(filter))
    }
  })

  test('with logic=OR marked_only is one clause among the others', async () => {
    const listWithOr = (query: object) => listNames({ marked_only: 'true', logic: 'OR', ...query })
    expect(await listWithOr({ mark_source: 'mine', ...red })).toEqual(
      inListOrder('red by guests', 'green over red by guests', ...markedByMe),
    )
    expect(await listWithOr({ mark_source: 'client', ...mine })).toEqual(
      inListOrder('my four stars', ...markedByGuests),
    )
    expect(await listWithOr({ mark_source: 'mine', my_min_rating: '5' })).toEqual(markedByMe)
    expect(await listWithOr({ mark_source: 'client', min_rating: '5' })).toEqual(markedByGuests)
    expect(await listWithOr({ mark_source: 'either', ...red })).toEqual(markedByEither)
    expect(await listWithOr(red)).toEqual(markedByEither)
  })

  test('with AND marked_only narrows what the others let through', async () => {
    const listWithAnd = (query: object) => listNames({ marked_only: 'true', ...query })
    expect(await listWithAnd({ mark_source: 'mine', color_labels: 'red,yellow' })).toEqual(
      inListOrder('both', 'hidden and both'),
    )
    expect(await listWithAnd({ mark_source: 'client', my_min_rating: '1' })).toEqual(
      inListOrder('both', 'hidden and both'),
    )
    expect(await listWithAnd({ mark_source: 'client', min_rating: '5' })).toEqual(['five stars by guests'])
    expect(await listWithAnd({ mark_source: 'either', my_min_rating: '4' })).toEqual(['my four stars'])
    expect(await listWithAnd({ mark_source: 'either', ...red })).toEqual(
      inListOrder('red by guests', 'green over red by guests'),
    )
  })
})

describe('invalid words and numbers are 400, never clamped', () => {
  test.each(['', 'and', 'or', 'XOR', 'AND,OR', '1'])('logic=%j', async (logic) => {
    expectInvalidField(await requestList({ logic, color_labels: 'red' }), 'logic')
  })

  test.each(['', 'guest', 'Client', 'client,mine', 'all', '1'])('mark_source=%j', async (mark_source) => {
    expectInvalidField(await requestList({ mark_source }), 'mark_source')
  })

  test.each(['yes', '1', '0', 'TRUE', 'on', 'null'])('marked_only=%j', async (marked_only) => {
    expectInvalidField(await requestList({ marked_only }), 'marked_only')
  })

  test.each(['0', '-1', '1.5', 'one', '', '2147483649', '1e99', 'NaN'])('page=%j', async (page) => {
    expectInvalidField(await requestList({ page }), 'page')
  })

  test.each(['0', '-1', '101', '1.5', 'ten', '', '1e99'])('limit=%j', async (limit) => {
    expectInvalidField(await requestList({ limit }), 'limit')
  })
})

describe('pages', () => {
  const filter = { marked_only: 'true' }

  test('of a filtered list have total, filtered and pages = ceil(filtered/limit)', async () => {
    const sizes = [1, 2, 3, 4, 7, 8, 9, 100]
    for (const limit of sizes) {
      const { pagination } = await list({ ...filter, limit: String(limit) })
      expect(pagination).toMatchObject({ page: 1, limit, total: 11, filtered: 8, pages: Math.ceil(8 / limit) })
    }
  })

  test.each([filter, {}, { color_labels: 'red', my_min_rating: '3', logic: 'OR' }])(
    'of %j have no gap and no overlap',
    async (query) => {
      const whole = await listNames(query)
      for (const limit of [1, 2, 3, 4, 5]) {
        const pages = await Promise.all(
          Array.from({ length: Math.ceil(whole.length / limit) }, (_, index) =>
            listNames({ ...query, limit: String(limit), page: String(index + 1) }),
          ),
        )
        expect(pages.flat()).toEqual(whole)
      }
    },
  )

  test('are 0 for an empty result', async () => {
    const { photos, pagination } = await list({ color_labels: 'blue' })
    expect(photos).toEqual([])
    expect(pagination).toEqual({ page: 1, next: null, limit: 50, total: 11, filtered: 0, pages: 0 })
    const nobody = await createEvent(api)
    for (const query of ['', '?marked_only=true', '?my_min_rating=1&color_labels=red&logic=OR']) {
      const { body } = await api.get(`/api/v1/events/${nobody.id}/photos${query}`)
      expect(body).toMatchObject({ photos: [], pagination: { page: 1, next: null, total: 0, filtered: 0, pages: 0 } })
    }
  })

  test('after the last are 200 with an empty list', async () => {
    for (const query of [{}, filter, { color_labels: 'red' }, { color_labels: 'blue' }]) {
      const { pagination: first } = await list({ ...query, limit: '3' })
      for (const page of [first.pages + 1, first.pages + 2, 2 ** 31]) {
        const { photos, pagination } = await list({ ...query, limit: '3', page: String(page) })
        expect(photos).toEqual([])
        expect(pagination).toEqual({ ...first, page, next: null })
      }
    }
  })
})

test('photos uploaded in the same millisecond stay in id order, filtered or not', async () => {
  const largeEvent = await createEvent(api)
  const sameTime = { uploadedAt: 1_700_000_000_000, visibility: 'visible' as const }
  const before = { ...sameTime, uploadedAt: 1_600_000_000_000 }
  const added = await addPhotoRows(service, largeEvent.id, [...Array.from({ length: 9 }, () => sameTime), before])
  const expected = [added.at(-1), ...added.slice(0, -1)]
  const guest = await enterAsGuest(service, largeEvent)
  // The order of the marks differs from the order of the photos.
  for (const [index, id] of added.toReversed().entries()) {
    const path = `/api/gallery/${largeEvent.slug}/photos/${id}/feedback`
    if (index % 2) await guest.post(path, { feedback_type: 'rating', rating: 3 })
    else await admin.put(`/api/admin/photos/${largeEvent.id}/photos/${id}/mark`, { color_label: 'red' })
  }
  for (const query of ['', 'marked_only=true', 'min_rating=1&my_color_labels=red&logic=OR']) {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => api.get(`/api/v1/events/${largeEvent.id}/photos?${query}&limit=2&page=${page}`)),
    )
    expect(pages.flatMap(({ body }) => body.photos.map(({ id }: { id: number }) => id))).toEqual(expected)
  }
})

test('a filter of one event finds nothing of another', async () => {
  const other = await createEvent(api)
  const [theirs] = await addPhotoRows(service, other.id, [{ uploadedAt: 1_700_000_000_000, visibility: 'visible' }])
  await admin.put(`/api/admin/photos/${other.id}/photos/${theirs}/mark`, { rating: 4 })
  expect(await listNames({ my_min_rating: '4' })).toEqual(['my four stars'])
  const { body } = await api.get(`/api/v1/events/${other.id}/photos?my_min_rating=4`)
  expect(body.photos.map(({ id }: { id: number }) => id)).toEqual([theirs])
  expect(body.pagination).toMatchObject({ total: 1, filtered: 1 })
})
