import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { ColorLabel, FeedbackKind } from '../../contract/marks.ts'
import type { Database, Tables } from '../platform/database/tables.ts'
import { maskOf } from './mark-rules.ts'

/** Photos by what was given to them; an empty list is no filter, the two are joined by AND. */
export type GivenFilter = {
  /** Whose feedback counts, comments that wait for approval included; null: any guest's, as far as it is visible. */
  guestId: string | null
  /** At least one of these. Colours are not asked for here. */
  kinds: ReadonlyArray<Exclude<FeedbackKind, 'color_label'>>
  /** A label of one of these. */
  colors: readonly ColorLabel[]
  /** So many stars or more; 0 is no filter. Of anybody's: on the average. */
  minRating: number
}

type PhotoIds = SelectQueryBuilder<Tables, never, { photo_id: number }>

/** The photos of an event that pass, as queries of ids: a photo must be in each of them. */
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
