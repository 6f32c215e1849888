import { beforeAll, expect, test } from 'vitest'
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
const both: Name[] = ['both', 'hidden and both']
const reds: Name[] = ['red by guests', 'green over red by guests']
const rated: Name[] = ['five stars by guests', 'three and a half by guests', ...both]

test('without a filter all photos are listed, hidden ones included, with their visibility', async () => {
  const without = await list()
  const { photos, pagination } = without
  expect(photoNames({ photos })).toEqual(all)
  expect(pagination).toEqual({ page: 1, next: null, limit: 50, total: 11, filtered: 11, pages: 1 })
  const hidden = photos.filter(({ visibility }: { visibility: string }) => visibility === 'hidden')
  expect(photoNames({ photos: hidden })).toEqual(['hidden and both'])
  const defaults = { page: '1', limit: '50', marked_only: 'false', mark_source: 'either', logic: 'AND' }
  expect(await list(defaults)).toEqual(without)
})

const noFilters = ['color_labels=', 'color_labels=all', 'my_color_labels=all', 'min_rating=', 'min_rating=0']
noFilters.push('my_min_rating=', 'marked_only=false', 'something=else&min_ratings=9&color_label=orange')
const selections: Record<string, Array<[query: string, expected: readonly Name[]]>> = {
  'an empty value, all, 0 or an unknown parameter is no filter, also under OR': noFilters.flatMap(
    (none): Array<[string, readonly Name[]]> => [
      [none, all],
      [`${none}&logic=OR`, all],
      none.startsWith('my_min_rating')
        ? [`${none}&logic=OR&my_color_labels=blue`, ['my blue']]
        : [`${none}&logic=OR&my_min_rating=4`, ['my four stars']],
    ],
  ),
  'marked_only keeps photos with stars or a color from mark_source': [
    ['marked_only=true', markedByEither],
    ['marked_only=true&mark_source=either', markedByEither],
    ['marked_only=true&mark_source=client', markedByGuests],
    ['marked_only=true&mark_source=mine', markedByMe],
    ['marked_only=true&mark_source=mine&logic=OR', markedByMe],
    ['marked_only=false&mark_source=mine', all],
  ],
  'a color filter finds photos with at least one label of a listed color': [
    ['color_labels=red', reds],
    ['color_labels=green', ['green over red by guests']],
    ['color_labels= yellow ,,red,red,', [...reds, ...both]],
    ['color_labels=blue', []],
    ['color_labels=purple', []],
    ['my_color_labels=purple', both],
    ['my_color_labels=red,yellow,green', []],
    ['my_color_labels=blue,purple', ['my blue', ...both]],
    ['color_labels=red,all', all],
    ['color_labels=red,yellow,green,blue,purple', [...reds, ...both]],
  ],
  'min_rating is compared with the average of guests, my_min_rating with the own stars': [
    ['min_rating=0.000000001', rated],
    ['min_rating=2', rated],
    ['min_rating=2.01', ['five stars by guests', 'three and a half by guests']],
    ['min_rating=3.5', ['five stars by guests', 'three and a half by guests']],
    ['min_rating=3.51', ['five stars by guests']],
    ['my_min_rating=3', ['my four stars', ...both]],
    ['my_min_rating=3.5', ['my four stars']],
    ['my_min_rating=5', []],
  ],
  'AND, the default, needs all filters; OR needs one, and marked_only is one of them': [
    ['color_labels=red&my_min_rating=3', []],
    ['color_labels=yellow&min_rating=2&my_min_rating=3&my_color_labels=blue,purple', both],
    ['color_labels=yellow&min_rating=2&my_min_rating=3&my_color_labels=blue', []],
    ['color_labels=red&my_min_rating=3&logic=OR', [...reds, 'my four stars', ...both]],
    ['color_labels=yellow&my_color_labels=purple&min_rating=1&logic=OR', rated],
    ['marked_only=true&mark_source=mine&color_labels=red&logic=OR', [...reds, ...markedByMe]],
    ['marked_only=true&mark_source=client&my_min_rating=3&logic=OR', ['my four stars', ...markedByGuests]],
    ['marked_only=true&mark_source=mine&color_labels=red,yellow', both],
    ['marked_only=true&mark_source=client&min_rating=5', ['five stars by guests']],
  ],
}

test.each(Object.entries(selections))('%s', { tags: 'database' }, async (_rule, cases) => {
  for (const [query, expected] of cases) {
    const { photos, pagination } = await list(query)
    expect(photoNames({ photos }), query).toEqual(inListOrder(...expected))
    expect(pagination, query).toMatchObject({
      total: 11,
      filtered: expected.length,
      pages: Math.min(1, expected.length),
    })
  }
})

test('own marks are those of the token owner, never those of other admins', async () => {
  const marked = inListOrder('plain', 'my blue', 'both')
  for (const query of ['marked_only=true&mark_source=mine', 'my_color_labels=green', 'my_min_rating=5']) {
    expect(await listNames(query, colleague.api), query).toEqual(marked)
  }
})

test('mark_source decides the merged color_label and rating, and nothing else', async () => {
  const unmarked = { rating: null, color_label: null }
  const merged: Array<[Name, client: object, mine: object, either: object]> = [
    ['liked', {}, {}, {}],
    ['green over red by guests', { color_label: 'green' }, {}, { color_label: 'green' }],
    ['three and a half by guests', { rating: 4 }, {}, { rating: 4 }],
    ['my four stars', {}, { rating: 4 }, { rating: 4 }],
    [
      'both',
      { rating: 2, color_label: 'yellow' },
      { rating: 3, color_label: 'purple' },
      { rating: 3, color_label: 'purple' },
    ],
  ]
  const without = (await list()).photos
  for (const [index, mark_source] of ['client', 'mine', 'either'].entries()) {
    const { photos } = await list({ mark_source })
    for (const [name, ...expected] of merged) {
      const { rating, color_label } = photos.find(({ id }: { id: number }) => id === ids[name])
      expect({ rating, color_label }, `${name} by ${mark_source}`).toEqual({ ...unmarked, ...expected[index] })
    }
    const withoutMarks = (photo: object) => ({ ...photo, ...unmarked })
    expect(photos.map(withoutMarks)).toEqual(without.map(withoutMarks))
  }
})

test('invalid values are 400, never clamped', async () => {
  const badColors = ['orange', 'Red', 'red;blue', 'orange,all', 'all,orange', 'ALL']
  const badStars = ['-0.01', '5.01', '999', 'five', '4,5', 'NaN', 'Infinity', '3 stars']
  const invalid: Record<string, string[]> = {
    color_labels: badColors,
    my_color_labels: badColors,
    min_rating: badStars,
    my_min_rating: [...badStars, '0', '0.99'],
    logic: ['', 'or', 'XOR', 'AND,OR'],
    mark_source: ['', 'guest', 'Client', 'client,mine', 'all'],
    marked_only: ['yes', '1', 'TRUE'],
    page: ['0', '-1', '1.5', 'one', '', '2147483649', '1e99'],
    limit: ['0', '-1', '101', '1.5', 'ten', '', '1e99'],
  }
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) expectInvalidField(await requestList({ [name]: value }), name)
  }
  expectInvalidField(await requestList('min_rating=1&min_rating=2'), 'min_rating')
  expectInvalidField(await requestList('color_labels=red&color_labels=blue'), 'color_labels')
})

test('pages have no gap and no overlap; one after the last is empty', async () => {
  for (const query of ['', 'marked_only=true', 'color_labels=red&my_min_rating=3&logic=OR', 'color_labels=blue']) {
    const whole = await listNames(query)
    const pages = Math.ceil(whole.length / 3)
    const seen = []
    for (const page of [...Array.from({ length: pages + 1 }, (_, index) => index + 1), 2 ** 31]) {
      const { photos, pagination } = await list(`${query}&limit=3&page=${page}`)
      expect(pagination).toMatchObject({ page, limit: 3, total: 11, filtered: whole.length, pages })
      if (page > pages) expect([photos, pagination.next]).toEqual([[], null])
      seen.push(...photoNames({ photos }))
    }
    expect(seen).toEqual(whole)
  }
})

test('photos of the same millisecond are in id order, and a filter finds nothing of another event', async () => {
  const other = await createEvent(api)
  const sameTime = { uploadedAt: 1_700_000_000_000, visibility: 'visible' as const }
  const before = { ...sameTime, uploadedAt: 1_600_000_000_000 }
  const added = await addPhotoRows(service, other.id, [...Array.from({ length: 5 }, () => sameTime), before])
  const expected = [added.at(-1), ...added.slice(0, -1)]
  // The order of the marks differs from the order of the photos.
  for (const id of added.toReversed()) {
    await admin.put(`/api/admin/photos/${other.id}/photos/${id}/mark`, { rating: 4 })
  }
  for (const query of ['', 'my_min_rating=4', 'marked_only=true&logic=OR']) {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => api.get(`/api/v1/events/${other.id}/photos?${query}&limit=2&page=${page}`)),
    )
    expect(pages.flatMap(({ body }) => body.photos.map(({ id }: { id: number }) => id))).toEqual(expected)
  }
  expect(await listNames({ my_min_rating: '4' })).toEqual(['my four stars'])
})
