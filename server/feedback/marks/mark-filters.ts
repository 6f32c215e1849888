import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ColorLabel, FeedbackKind, MarkSource } from '../../../contract/marks.ts'
import type { Database, Tables } from '../../platform/database/tables.ts'
import { createLabelMask } from './mark-rules.ts'

/** Null and empty lists do not filter, whatever `logic` is. */
export type MarkFilter = {
  markedOnly: boolean
  source: MarkSource
  colors: readonly ColorLabel[]
  myColors: readonly ColorLabel[]
  /** Each kind is a separate filter. Must be empty with `markedOnly`, because these kinds do not imply a mark. */
  given: ReadonlyArray<keyof typeof counters>
  /** The minimum average rating of the guests; 0 does not filter. */
  minRating: number | null
  /** The minimum rating of the account, 1 to 5. */
  myMinRating: number | null
  logic: 'AND' | 'OR'
}

const counters = {
  like: 'photo_marks.like_count',
  favorite: 'photo_marks.favorite_count',
  comment: 'photo_marks.comment_count',
} as const satisfies Partial<Record<FeedbackKind, string>>

type MarkTable = 'photo_marks' | 'account_marks'
export type MarkedPhotoQuery = SelectQueryBuilder<Tables, MarkTable, { uploaded_at: number; photo_id: number }>
type Conditions = Array<RawBuilder<boolean>>

/**
 * Returns null without a filter. The marks of guests and of the account are each read in upload order from one index,
 * so a page merges two sorted lists.
 */
export function selectPhotosByMarks(
  db: Database,
  eventId: number,
  userId: number,
  filter: MarkFilter,
): MarkedPhotoQuery | null {
  const { client, own, isOnlyMarked } = createConditions(filter)
  const query = (table: MarkTable, conditions: Conditions) => queryMarks(db, table, eventId, conditions, filter.logic)
  const byGuests = client.length > 0 && query('photo_marks', client)
  const byAccount = own.length > 0 && query('account_marks', own).where('account_marks.user_id', '=', userId)
  if (byGuests && byAccount) {
    const needsBoth = filter.logic === 'AND' && !isOnlyMarked
    return needsBoth ? byGuests.intersect(byAccount) : byGuests.union(byAccount)
  }
  return byGuests || byAccount || null
}

export function hasMarkFilters(filter: MarkFilter): boolean {
  const { client, own } = createConditions(filter)
  return client.length + own.length > 0
}

function createConditions(filter: MarkFilter) {
  const { colors, minRating, myColors, myMinRating, given } = filter
  const client: Conditions = []
  const own: Conditions = []
  if (colors.length > 0) client.push(sql<boolean>`(photo_marks.label_mask & ${createLabelMask(colors)}) <> 0`)
  if (minRating) client.push(sql<boolean>`${unindexedAverage} >= ${hundredths(minRating)}`)
  for (const kind of given) client.push(sql<boolean>`${sql.ref(counters[kind])} > 0`)
  if (myColors.length > 0) own.push(sql<boolean>`account_marks.color_label in (${sql.join(myColors)})`)
  if (myMinRating !== null) own.push(sql<boolean>`account_marks.rating >= ${Math.ceil(myMinRating)}`)

  if (!filter.markedOnly) return { client, own, isOnlyMarked: false }
  // If `markedOnly` is the only filter, `either` returns photos with marks of guests or of the account.
  const isOnlyMarked = client.length + own.length === 0
  // With AND, another filter implies that the photo is marked, so `either` needs no condition.
  const isImplied = filter.source === 'either' && filter.logic === 'AND' && !isOnlyMarked
  if (!isImplied && filter.source !== 'mine') {
    client.push(sql<boolean>`(photo_marks.label_mask <> 0 or ${unindexedAverage} > 0)`)
  }
  if (!isImplied && filter.source !== 'client') own.push(sql<boolean>`1 = 1`)
  return { client, own, isOnlyMarked }
}

/** The addition prevents the use of the index by rating, which is not in upload order. */
const unindexedAverage = sql.raw('(photo_marks.average_hundredths + 0)')

const queryMarks = (
  db: Database,
  table: MarkTable,
  eventId: number,
  conditions: Conditions,
  logic: MarkFilter['logic'],
): MarkedPhotoQuery =>
  db
    .selectFrom(table)
    .select([`${table}.uploaded_at`, `${table}.photo_id`])
    .where(`${table}.event_id`, '=', eventId)
    .where(({ and, or }) => (logic === 'AND' ? and(conditions) : or(conditions))) as unknown as MarkedPhotoQuery

/** Corrects floating point errors: `1.1 * 100` is more than 110. */
function hundredths(rating: number): number {
  const above = Math.ceil(rating * 100)
  return (above - 1) / 100 >= rating ? above - 1 : above
}
