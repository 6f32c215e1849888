import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { ColorLabel, FeedbackKind } from '../../../contract/marks.ts'
import type { Database, Tables } from '../../platform/database/tables.ts'
import { createLabelMask } from './mark-rules.ts'

/** An empty list does not filter. The entries of a list are combined with OR, the filters with AND. */
export type FeedbackFilter = {
  /** Null: visible feedback of any guest. With a guest id, hidden feedback of that guest counts, too. */
  guestId: string | null
  kinds: ReadonlyArray<Exclude<FeedbackKind, 'color_label'>>
  colors: readonly ColorLabel[]
  /** Stars; 0 does not filter. Without a guest id, it applies to the average rating. */
  minRating: number
}

type PhotoIds = SelectQueryBuilder<Tables, never, { photo_id: number }>

/** Returns queries of photo ids; a photo matches if all of them contain it. */
export function selectPhotosByFeedback(db: Database, eventId: number, filter: FeedbackFilter): PhotoIds[] {
  const select = filter.guestId === null ? selectByAnyGuest : selectByGuest
  return select(db, eventId, filter) as unknown as PhotoIds[]
}

function selectByGuest(db: Database, eventId: number, { guestId, kinds, colors, minRating }: FeedbackFilter) {
  const given = db
    .selectFrom('feedback')
    .select('photo_id')
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
  return [
    ...(kinds.length > 0 ? [given.where('kind', 'in', kinds)] : []),
    ...(colors.length > 0 ? [given.where('kind', '=', 'color_label').where('color_label', 'in', colors)] : []),
    ...(minRating > 0 ? [given.where('kind', '=', 'rating').where('rating', '>=', minRating)] : []),
  ]
}

const counters = {
  like: 'like_count',
  favorite: 'favorite_count',
  rating: 'average_hundredths',
  comment: 'comment_count',
} as const

function selectByAnyGuest(db: Database, eventId: number, { kinds, colors, minRating }: FeedbackFilter) {
  const conditions: Expression<boolean>[] = []
  const givenKinds = kinds.map((kind) => sql`${sql.ref(counters[kind])} > 0`)
  if (kinds.length > 0) conditions.push(sql<boolean>`(${sql.join(givenKinds, sql` or `)})`)
  if (colors.length > 0) conditions.push(sql<boolean>`(label_mask & ${createLabelMask(colors)}) <> 0`)
  if (minRating > 0) conditions.push(sql<boolean>`average_hundredths >= ${100 * minRating}`)
  if (conditions.length === 0) return []
  const marked = db.selectFrom('photo_marks').select('photo_id').where('event_id', '=', eventId)
  return [marked.where(({ and }) => and(conditions))]
}
