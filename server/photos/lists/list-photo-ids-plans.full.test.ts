import { beforeEach, expect, test } from 'vitest'
import { databaseWithPlans } from '../../../tests/support/database/query-plans.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { findKnownContents } from '../../receiving/find-known-contents.ts'
import type { PhotoOrder } from '../photo-orders.ts'
import { listPhotoIds } from './list-photos.ts'
import type { PhotoFilter } from './photo-filters.ts'
import { listPositionsAfter, type Position } from './photo-keysets.ts'

const { db, sqlite, queries, planSteps } = await databaseWithPlans()
sqlite.exec('insert into event_photo_totals values (1, 1000, 1000, 1, 1)')

beforeEach(() => {
  queries.length = 0
})

const steps = () => planSteps().map(({ detail, sql }) => `${detail} in ${sql}`)

const orders = (['upload_date', 'capture_date', 'filename', 'size', 'rating', 'manual'] as const).flatMap((by) =>
  (['asc', 'desc'] as const).map((direction): PhotoOrder => ({ by, direction })),
)
const guestId = 'a guest'
const kinds = ['like', 'comment'] as const
const search = { text: 'img', count: 5_000, ids: null }
const filters: Record<string, PhotoFilter> = {
  'no filter': {},
  'a category': { category: 5 },
  'no category': { category: 'uncategorized' },
  collages: { category: 'collage' },
  'a search that finds many': { search },
  'a search that finds few': { search: { text: 'img_7', count: 3, ids: [7, 8, 9] } },
  'own marks': { given: { guestId, kinds, colors: ['red'], minRating: 0 } },
  "anybody's marks": { given: { guestId: null, kinds, colors: ['red'], minRating: 0 } },
  'own stars': { given: { guestId, kinds: [], colors: [], minRating: 4 } },
  "anybody's stars": { given: { guestId: null, kinds: [], colors: [], minRating: 4 } },
  videos: { mediaType: 'video' },
  images: { mediaType: 'image' },
  everything: { category: 5, mediaType: 'image', search, given: { guestId, kinds, colors: [], minRating: 0 } },
}
const marked = {
  userId: 1,
  filter: {
    markedOnly: false,
    source: 'client',
    colors: ['red'],
    myColors: [],
    given: ['like', 'comment'],
    minRating: 3.5,
    myMinRating: null,
    logic: 'OR',
  },
} as const satisfies PhotoFilter['marked']
const gridFilters: Record<string, PhotoFilter> = {
  'a type': { type: 'collage' },
  'what guests gave': { marked },
  'what guests gave, both': { marked: { ...marked, filter: { ...marked.filter, logic: 'AND' } } },
  'what guests gave in a category': { category: 5, search, marked },
}
const cases = Object.entries({ ...filters, ...gridFilters }).flatMap(([name, filter]) =>
  [true, false].map((onlyVisible) => [`${name}, ${onlyVisible ? 'visible' : 'all'} ones`, { ...filter, onlyVisible }]),
) as Array<[string, PhotoFilter]>

/** Such a filter finds few photos, so SQLite may read these first, look up their rows and sort them. */
const findsFew = ({ given, search }: PhotoFilter): boolean =>
  Boolean(given?.guestId) || (typeof search === 'object' && search.ids !== null)

/** A search that finds many photos reads rows until the page is full. */
const readsNames = ({ search }: PhotoFilter): boolean => typeof search === 'object' && search.ids === null

async function listAll(filter: PhotoFilter): Promise<void> {
  for (const order of orders) {
    for (const offset of [0, 950]) await listPhotoIds(db, { eventId: 1, filter, order }, { offset, limit: 50 })
  }
}

test.each(cases)(
  'the ids of a page are read from indexes of one event %s, in every order, without a sort',
  async (_name, filter) => {
    await listAll(filter)
    expect(queries.length).toBeGreaterThanOrEqual(orders.length * 2 * 2)
    const readsRows = /^(SCAN (photo|videos|feedback)|SEARCH (photos|videos|photo_marks) USING (INDEX|INTEGER))/
    const isAllowed = (step: string) => findsFew(filter) || (readsNames(filter) && step.startsWith('SEARCH photos'))
    expect(steps().filter((step) => readsRows.test(step) && !isAllowed(step))).toEqual([])
    const narrowed =
      /^SEARCH (photos|videos|photo_marks|feedback) .*\((rowid=\?|event_id=\?|category_id=\? AND event_id=\?)/
    expect(
      steps().filter((step) => /^SEARCH (photos|videos|photo_marks|feedback)/.test(step) && !narrowed.test(step)),
    ).toEqual([])
    if (!findsFew(filter)) expect(steps().filter((step) => step.startsWith('USE TEMP B-TREE'))).toEqual([])
  },
)

const places: Record<PhotoOrder['by'], Array<Position | null>> = {
  upload_date: [null, { id: 7, key: [1] }],
  capture_date: [null, { id: 7, key: [1, 'img'] }, { id: 7, key: ['img'] }],
  filename: [null, { id: 7, key: ['img'] }],
  size: [null, { id: 7, key: [1] }],
  rating: [null, { id: 7, key: [450, 1] }, { id: 7, key: [0, 1] }],
  manual: [null, { id: 7, key: [-1, 1] }, { id: 7, key: [1] }],
}

test.each(Object.entries({ ...filters, ...gridFilters }).filter(([, filter]) => !findsFew(filter)))(
  'positions after a position are read from an index %s, in every order of the admin list',
  async (_name, filter) => {
    for (const [by, afters] of Object.entries(places) as Array<[keyof typeof places, Array<Position | null>]>) {
      for (const direction of ['asc', 'desc'] as const) {
        for (const after of afters) {
          await listPositionsAfter(db, { eventId: 1, filter, order: { by, direction } }, { after, limit: 50 })
        }
      }
    }
    const all = steps()
    const readsRows = /^(SCAN (photo|videos)|SEARCH (photos|videos|photo_marks) USING (INDEX|INTEGER))/
    const isAllowed = (step: string) => readsNames(filter) && step.startsWith('SEARCH photos')
    expect(all.filter((step) => readsRows.test(step) && !isAllowed(step))).toEqual([])
    expect(all.filter((step) => step.startsWith('USE TEMP B-TREE'))).toEqual([])
    const fromThere = queries.filter(({ sql }) => /\) (>|<) \(/.test(sql))
    expect(fromThere.length).toBe(18)
  },
)

test('positions after a position are read from an index without a filter the search starts at the position', async () => {
  for (const [by, index, column] of [
    ['upload_date', 'photos_in_order', 'uploaded_at'],
    ['filename', 'photos_by_name', 'name_sort'],
    ['size', 'photos_by_size', 'size_bytes'],
  ] as const) {
    queries.length = 0
    const [, after = null] = places[by]
    await listPositionsAfter(db, { eventId: 1, filter: {}, order: { by, direction: 'asc' } }, { after, limit: 50 })
    expect(steps()).toEqual([expect.stringContaining(`COVERING INDEX ${index} (event_id=? AND ${column}>?)`)])
  }
})

test('known contents are read from an index', async () => {
  await findKnownContents({ db } as PlatformContext, 1, ['a', 'b'])
  expect(steps()).toEqual([
    expect.stringMatching(/COVERING INDEX photos_by_content \(event_id=\? AND content_hash=\?\)/),
  ])
})

test('the checks detect a sort and a table read', async () => {
  const photos = db.selectFrom('photos').select('id').where('event_id', '=', 1)
  await photos.orderBy('mime_type').limit(9).execute()
  expect(steps().some((step) => step.startsWith('USE TEMP B-TREE'))).toBe(true)
  expect(steps().some((step) => step.startsWith('SEARCH photos USING INDEX'))).toBe(true)
})
