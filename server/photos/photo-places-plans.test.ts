import Sqlite from 'better-sqlite3'
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { listCategories } from '../events/categories.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Backends } from '../platform/backends.ts'
import type { Tables } from '../platform/database/tables.ts'
import type { PhotoFilter } from './photo-filters.ts'
import type { PhotoOrder } from './photo-orders.ts'
import { placesOf } from './photo-places.ts'

const sqlite = new Sqlite(':memory:')
let asked: CompiledQuery[] = []
const db = new Kysely<Tables>({
  dialect: new SqliteDialect({ database: sqlite }),
  log: ({ query }) => {
    asked.push(query)
  },
})
for (const { up } of Object.values(migrations)) await up(db)
sqlite.pragma('foreign_keys = off')
sqlite.exec('insert into event_photo_totals values (1, 1000, 1000, 1)')

beforeEach(() => {
  asked = []
})

/** The steps of SQLite's plans for everything that was asked, beside the query they are of. */
const steps = () =>
  asked.flatMap(({ sql, parameters }) =>
    (sqlite.prepare(`explain query plan ${sql}`).all(...parameters) as Array<{ detail: string }>).map(
      ({ detail }) => `${detail} in ${sql}`,
    ),
  )

const orders = (['upload_date', 'capture_date', 'filename', 'size', 'rating'] as const).flatMap((by) =>
  (['asc', 'desc'] as const).map((direction): PhotoOrder => ({ by, direction })),
)
const guestId = 'a guest'
const kinds = ['like', 'comment'] as const
const filters: Record<string, PhotoFilter> = {
  'no filter': {},
  'a category': { category: 5 },
  'no category': { category: 'uncategorized' },
  collages: { category: 'collage' },
  'a search': { search: 'img' },
  'own marks': { given: { guestId, kinds, colors: ['red'] } },
  "anybody's marks": { given: { guestId: null, kinds, colors: ['red'] } },
  everything: { category: 5, search: 'img', given: { guestId, kinds, colors: [] } },
}
const cases = Object.entries(filters).flatMap(([name, filter]) =>
  [true, false].map((onlyVisible) => [`${name}, ${onlyVisible ? 'visible' : 'all'} ones`, { ...filter, onlyVisible }]),
) as Array<[string, PhotoFilter]>

/** All orders from the start, the middle and the end. */
async function askAll(filter: PhotoFilter): Promise<void> {
  for (const order of orders) {
    for (const offset of [0, 400, 950]) await placesOf(db, { eventId: 1, filter, order }, { offset, limit: 50 })
  }
}

describe('the places of a page are read from indexes of one event', () => {
  test.each(cases)('%s, in every order', async (_name, filter) => {
    await askAll(filter)
    expect(asked.length).toBeGreaterThanOrEqual(orders.length * 3 * 2)
    const looksAtRows = /^(SCAN (photo|named|feedback)|SEARCH (photos|named|photo_marks) USING (INDEX|INTEGER))/
    // A guest's own marks are few: the photos are looked up by them.
    const isOwn = Boolean(filter.given?.guestId)
    expect(steps().filter((step) => !isOwn && looksAtRows.test(step))).toEqual([])
    const narrowed =
      /^SEARCH (photos|named|photo_marks|feedback) .*\((rowid=\?|event_id=\?|category_id=\? AND event_id=\?)/
    expect(
      steps().filter((step) => /^SEARCH (photos|named|photo_marks|feedback)/.test(step) && !narrowed.test(step)),
    ).toEqual([])
  })

  test.each(cases.filter(([, filter]) => !filter.given?.guestId))('%s, without a sort', async (_name, filter) => {
    await askAll(filter)
    expect(steps().filter((step) => step.startsWith('USE TEMP B-TREE'))).toEqual([])
  })
})

test('photos are counted by category without a look at the table', async () => {
  for (const onlyVisible of [true, false]) await listCategories({ db } as Backends, 1, { onlyVisible })
  expect(steps().filter((step) => /photos/.test(step.split(' in ')[0] ?? ''))).toEqual([
    expect.stringMatching(/COVERING INDEX photos_by_category \(category_id=\? AND event_id=\? AND visibility=\?\)/),
    expect.stringMatching(/COVERING INDEX photos_by_category \(category_id=\? AND event_id=\?\)/),
  ])
})

test('this test would see a sort and a look at the table', async () => {
  const photos = db.selectFrom('photos').select('id').where('event_id', '=', 1)
  await photos.orderBy('content_hash').limit(9).execute()
  expect(steps().some((step) => step.startsWith('USE TEMP B-TREE'))).toBe(true)
  expect(steps().some((step) => step.startsWith('SEARCH photos USING INDEX'))).toBe(true)
})
