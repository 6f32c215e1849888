import { beforeEach, expect, test } from 'vitest'
import { markSources } from '../../../contract/marks.ts'
import { databaseWithPlans, type PlanStep } from '../../../tests/support/database/query-plans.ts'
import { giveFeedback } from '../../feedback/give-feedback.ts'
import type { MarkFilter } from '../../feedback/marks/mark-filters.ts'
import { createMarkGuard } from '../../feedback/marks/markable-photo.ts'
import { setOwnMark } from '../../feedback/marks/set-own-mark.ts'
import { loadOwnFeedback } from '../../feedback/own-feedback.ts'
import { Changes } from '../../platform/background/changes.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { getListedPhoto } from '../listed-photos.ts'
import { listPhotos } from './list-photos.ts'

const { db, sqlite, queries, planSteps } = await databaseWithPlans()
const ctx = { db, clock: { now: () => 1 }, changes: new Changes() } as AppContext

const photo = { id: 7, event_id: 1, uploaded_at: 1, has_package: 0 as const }
const photoCount = 1000
// The totals decide from which end a page is read. The plans do not depend on any other row.
sqlite.exec(`insert into event_photo_totals values (1, ${photoCount}, ${photoCount}, 1, 1)`)
const tables = sqlite.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]

beforeEach(() => {
  queries.length = 0
})

const stepsThat = (offends: (step: PlanStep) => boolean): string[] =>
  planSteps()
    .filter(offends)
    .map(({ detail, sql }) => `${detail} in ${sql}`)

/** The conditions by which a search reads only rows of one event, photo or account. */
const narrowings: Record<string, RegExp> = {
  events: /\(rowid=\?\)/,
  guests: /\(id=\?\)/,
  photos: /\((rowid=\?|event_id=\?.*)\)/,
  photo_marks: /\((rowid=\?|event_id=\?)\)/,
  account_marks: /\((event_id=\? AND user_id=\?|user_id=\? AND photo_id=\?)\)/,
  feedback: /\((rowid=\?|photo_id=\?.*)\)/,
  event_photo_totals: /\(rowid=\?\)/,
  categories: /\(rowid=\?\)/,
}

function readsOtherRows({ detail }: PlanStep): boolean {
  const [, how, table = ''] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? []
  if (!tables.includes(table)) return false
  return how === 'SCAN' || !narrowings[table]?.test(detail)
}

/** Only the final sort of the rows of one page is allowed. */
const sortsMoreThanThePage = ({ detail, parent }: PlanStep): boolean =>
  detail.startsWith('USE TEMP B-TREE') && !(parent === 0 && detail.endsWith('FOR ORDER BY'))

const clauses: Array<Partial<MarkFilter>> = [
  { colors: ['red', 'blue'] },
  { myColors: ['green'] },
  { minRating: 3.5 },
  { myMinRating: 4 },
  { markedOnly: true },
  { given: ['like', 'comment'] },
]
const noFilter: MarkFilter = {
  markedOnly: false,
  source: 'either',
  colors: [],
  myColors: [],
  minRating: null,
  myMinRating: null,
  given: [],
  logic: 'AND',
}
const everyChoice = Array.from({ length: 2 ** clauses.length }, (_, choice) =>
  clauses.filter((_clause, index) => (choice >> index) & 1),
)
const everyFilter: MarkFilter[] = everyChoice.flatMap((chosen) =>
  markSources.flatMap((source) =>
    (['AND', 'OR'] as const).map((logic): MarkFilter => Object.assign({ ...noFilter, source, logic }, ...chosen)),
  ),
)
const pages = [1, 10, 20]
const marked = (page: number, filter: MarkFilter) => {
  return { page, limit: 50, userId: 1, filter: { marked: { filter, userId: 1 } } }
}

test('list queries never read rows of another event without a filter, from both ends, for accounts and guests', async () => {
  for (const page of pages) {
    for (const onlyVisible of [false, true]) {
      await listPhotos(ctx, 1, { page, limit: 50, userId: 1, filter: { onlyVisible } })
      await listPhotos(ctx, 1, { page, limit: 50, filter: { onlyVisible } })
    }
  }
  expect(queries.length).toBeGreaterThanOrEqual(24)
  expect(stepsThat(readsOtherRows)).toEqual([])
  expect(stepsThat(sortsMoreThanThePage)).toEqual([])
})

test('list queries never read rows of another event with every combination of filters, sources and logics, and the filters read only indexes', async () => {
  for (const filter of everyFilter) {
    for (const page of [1, 20]) await listPhotos(ctx, 1, marked(page, filter))
  }
  expect(queries.length).toBeGreaterThan(192 * 2 * 2)
  expect(stepsThat(readsOtherRows)).toEqual([])
  expect(stepsThat(sortsMoreThanThePage)).toEqual([])
  const isCount = ({ sql }: { sql: string }) => sql.startsWith('select count(*)')
  expect(queries.filter(isCount).length).toBeGreaterThan(180)
  const readsMarks = /^SEARCH (photo_marks|account_marks) USING INDEX/
  expect(stepsThat((step) => isCount(step) && readsMarks.test(step.detail))).toEqual([])
})

test('list queries never read rows of another event for a single photo', async () => {
  await expect(getListedPhoto(ctx, 1, photo.id, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(queries).toHaveLength(1)
  expect(stepsThat(readsOtherRows)).toEqual([])
})

test("list queries never read rows of another event for a guest's own marks", async () => {
  await loadOwnFeedback(db, 'a guest', [1, 2, 3])
  expect(queries).toHaveLength(1)
  expect(stepsThat(readsOtherRows)).toEqual([])
})

/** The counters of a photo are created from its row. */
function insertPhoto(): void {
  const columns = sqlite.pragma('table_info(photos)') as { name: string; type: string; notnull: number }[]
  const required = columns.filter(({ name, notnull }) => notnull === 1 || name === 'id')
  const values = required.map(({ name, type }) =>
    name in photo ? photo[name as keyof typeof photo] : /int/i.test(type) ? 0 : `'${name}'`,
  )
  sqlite.exec(`insert into photos (${required.map(({ name }) => name)}) values (${values})`)
}

test('giving and removing marks reads only rows of one photo', async () => {
  insertPhoto()
  const guest = { eventId: 1, guestId: 'a guest', isModerated: true, requiresName: false }
  const marked = { photoId: 7, guard: { ...createMarkGuard(ctx, 1), assertPhoto: () => photo } }
  const nothing = async () => undefined
  const around = { ...marked, record: nothing, announce: nothing }
  const give = () => giveFeedback(ctx, { ...guest, ...around, body: { feedback_type: 'like' } })
  await give()
  await give()
  await setOwnMark(ctx, { eventId: 1, userId: 1 }, async () => photo, { rating: 3 })
  await setOwnMark(ctx, { eventId: 1, userId: 1 }, async () => photo, { rating: null })
  expect(queries.length).toBeGreaterThan(10)
  expect(stepsThat(readsOtherRows)).toEqual([])
})

test('the checks detect a table scan, another account and a sort', async () => {
  await db.selectFrom('photos').select('id').where('filename', '=', 'a').execute()
  await db.selectFrom('account_marks').select('rating').where('event_id', '=', 1).execute()
  const sorted = db
    .selectFrom('photo_marks')
    .select('photo_id')
    .where('event_id', '=', 1)
    .orderBy('like_count')
    .limit(9)
  await db.selectFrom('photos').select('id').where('id', 'in', sorted).execute()
  expect(stepsThat(readsOtherRows)).toHaveLength(2)
  expect(stepsThat(sortsMoreThanThePage)).toHaveLength(1)
})
