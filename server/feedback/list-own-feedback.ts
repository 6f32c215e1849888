import { sql } from 'kysely'
import type { MyFeedback } from '../../contract/feedback.ts'
import type { ColorLabel } from '../../contract/marks.ts'
import { visibleToGuests } from '../events/visible-photos.ts'
import type { GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import type { OpenGallery } from '../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../gallery-access/viewing-rules.ts'
import { toPagination } from '../platform/database/pagination.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { countKind } from './marks/count-marks.ts'
import { selectAnswered } from './threads/list-guest-threads.ts'

/** Includes only visible photos; empty for an operator. Throws NOT_FOUND for a guest before the reveal. */
export async function listOwnFeedback(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  { page, limit }: { page: number; limit: number },
): Promise<MyFeedback> {
  const { event, viewer } = gallery
  if (viewer.kind === 'guest' && isBeforeReveal(event, ctx.clock.now())) throw new AppError('NOT_FOUND')
  const counts = await countOwnFeedback(ctx, gallery)
  const rows = await queryOwnFeedback(ctx, gallery)
    .select(['photo_id', sql<number | null>`max(rating)`.as('my_rating')])
    .select([sql<ColorLabel | null>`max(color_label)`.as('my_color_label')])
    .select([countKind('like').as('likes'), countKind('favorite').as('favorites'), countKind('comment').as('comments')])
    .groupBy(['photo_id', 'photos.uploaded_at'])
    .orderBy('photos.uploaded_at')
    .orderBy('photo_id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return {
    feedback: rows.map((row) => ({
      photo_id: row.photo_id,
      my_rating: row.my_rating,
      my_color_label: row.my_color_label,
      is_liked: Number(row.likes) > 0,
      is_favorited: Number(row.favorites) > 0,
      my_comment_count: Number(row.comments),
    })),
    counts,
    pagination: toPagination({ page, limit }, counts.photos),
  }
}

export const zeroFeedbackCounts = { photos: 0, rated: 0, color_labeled: 0, liked: 0, favorited: 0, comments: 0 }

const countOwnFeedback = async (ctx: GalleryAccessContext, gallery: OpenGallery): Promise<MyFeedback['counts']> =>
  toCounts(await queryOwnCounts(ctx, gallery).executeTakeFirstOrThrow())

/** `hasAnswers`: whether an operator has answered in a thread of the guest that the guest sees. */
export async function loadOwnTotals(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
): Promise<{ counts: MyFeedback['counts']; hasAnswers: boolean }> {
  const answered = selectAnswered(ctx.db, gallery.event.id, guestIdOf(gallery))
  const { has_answers, ...counts } = await queryOwnCounts(ctx, gallery)
    .select(({ exists }) => exists(answered.select('threads.id')).as('has_answers'))
    .executeTakeFirstOrThrow()
  return { counts: toCounts(counts), hasAnswers: Boolean(has_answers) }
}

const queryOwnCounts = (ctx: GalleryAccessContext, gallery: OpenGallery) =>
  queryOwnFeedback(ctx, gallery).select([
    sql<number>`count(distinct photo_id)`.as('photos'),
    countKind('rating').as('rated'),
    countKind('color_label').as('color_labeled'),
    countKind('like').as('liked'),
    countKind('favorite').as('favorited'),
    countKind('comment').as('comments'),
  ])

/** PostgreSQL returns 64-bit counts as text. */
const toCounts = (totals: MyFeedback['counts']) =>
  Object.fromEntries(Object.entries(totals).map(([key, value]) => [key, Number(value)])) as typeof totals

const queryOwnFeedback = ({ db }: GalleryAccessContext, gallery: OpenGallery) =>
  db
    .selectFrom('feedback')
    .innerJoin('photos', 'photos.id', 'feedback.photo_id')
    .where('feedback.event_id', '=', gallery.event.id)
    .where('feedback.guest_id', '=', guestIdOf(gallery))
    .where(visibleToGuests())

const guestIdOf = ({ viewer }: OpenGallery): string => (viewer.kind === 'guest' ? viewer.guest.guestId : '')
