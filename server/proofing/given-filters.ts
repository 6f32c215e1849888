import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { ColorLabel, FeedbackKind } from '../../contract/marks.ts'
import type { Database, Tables } from '../platform/database/tables.ts'
import { maskOf } from './mark-rules.ts'

/** Empty lists are no filter; all filters are combined with AND. */
export type GivenFilter = {
  /** Null: visible feedback of any guest. With a guest, comments that wait for approval count too. */
  guestId: string | null
  kinds: ReadonlyArray<Exclude<FeedbackKind, 'color_label'>>
  colors: readonly ColorLabel[]
  /** Stars; 0 is no filter. Without a guest it applies to the average. */
  minRating: number
}

type PhotoIds = SelectQueryBuilder<Tables, never, { photo_id: number }>

/** Returns queries of photo ids; a photo matches if all of them contain it. */
export function photosGiven(db: Database, eventId: number, filter: GivenFilter): PhotoIds[] {
  return filter.guestId === null ? givenByAnybody(db, eventId, filter) : givenBy(db, eventId, filter.guestId, filter)
}

function givenBy(
  db: Database,
  eventId: number,
  guestId: string,
  { kinds, colors, minRating }: GivenFilter,
): PhotoIds[] {
  const own = db
    .selectFrom('feedback')
    .select('photo_id')
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
  return [
    ...(kinds.length > 0 ? [own.where('kind', 'in', kinds)] : []),
    ...(colors.length > 0 ? [own.where('kind', '=', 'color_label').where('color_label', 'in', colors)] : []),
    ...(minRating > 0 ? [own.where('kind', '=', 'rating').where('rating', '>=', minRating)] : []),
  ] as unknown as PhotoIds[]
}

const counters = {
  like: 'like_count',
  favorite: 'favorite_count',
  rating: 'average_hundredths',
  comment: 'comment_count',
} as const

function givenByAnybody(db: Database, eventId: number, { kinds, colors, minRating }: GivenFilter): PhotoIds[] {
  const asked: Expression<boolean>[] = []
  if (kinds.length > 0) {
    asked.push(
      sql<boolean>`(${sql.join(
        kinds.map((kind) => sql`${sql.ref(counters[kind])} > 0`),
        sql` or `,
      )})`,
    )
  }
  if (colors.length > 0) asked.push(sql<boolean>`(label_mask & ${maskOf(colors)}) <> 0`)
  if (minRating > 0) asked.push(sql<boolean>`average_hundredths >= ${100 * minRating}`)
  if (asked.length === 0) return []
  const marked = db.selectFrom('photo_marks').select('photo_id').where('event_id', '=', eventId)
  return [marked.where((where) => where.and(asked))] as unknown as PhotoIds[]
}
