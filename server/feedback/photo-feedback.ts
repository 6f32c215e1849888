import type { GuestComment, PhotoFeedback } from '../../contract/feedback.ts'
import type { GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import type { OpenGallery } from '../gallery-access/open-gallery-request.ts'
import { assertViewable, showsFeedback } from '../gallery-access/viewing-rules.ts'
import { toPagination } from '../platform/database/pagination.ts'
import { isoTime } from '../platform/time/clock.ts'
import { type ListedComment, listComments } from './list-comments.ts'
import { guestMarks } from './marks/mark-joins.ts'
import { loadOwnFeedback, noFeedback } from './own-feedback.ts'

/** Guests see the feedback of others only if the event shows it. Throws the errors of `assertViewable`. */
export async function loadPhotoFeedback(
  ctx: GalleryAccessContext,
  { event, viewer }: OpenGallery,
  photoId: number,
  { page, limit }: { page: number; limit: number },
): Promise<PhotoFeedback> {
  const { db, galleries, clock } = ctx
  assertViewable(event, await galleries.photo(photoId), viewer, 'photo', clock.now())
  const guestId = viewer.kind === 'guest' ? viewer.guest.guestId : null
  const showsOthers = guestId === null || showsFeedback(event)

  const { comments, total } = await listComments(db, { photoId, guestId, onlyOwn: !showsOthers, page, limit })
  const findCounters = () => db.selectFrom('photo_marks').selectAll().where('photo_id', '=', photoId).executeTakeFirst()
  const counters = showsOthers ? ((await findCounters()) ?? null) : null
  const { color_labels, average_rating, feedback_count, like_count, favorite_count, comment_count } =
    guestMarks(counters)
  const rating_count = counters?.rating_count ?? 0
  const own = guestId === null ? noFeedback : (await loadOwnFeedback(db, guestId, [photoId])).get(photoId)
  return {
    feedback: comments.map((comment) => guestComment(comment, guestId)),
    summary: { average_rating, rating_count, feedback_count, like_count, favorite_count, comment_count },
    color_labels,
    my_feedback: { ...(own ?? noFeedback), my_comment_count: await countOwnComments(db, photoId, guestId) },
    pagination: toPagination({ page, limit }, total),
  }
}

const guestComment = (comment: ListedComment, guestId: string | null): GuestComment => ({
  id: comment.id,
  feedback_type: 'comment',
  comment_text: comment.comment_text ?? '',
  guest_name: comment.guest_name,
  is_own: comment.guest_id === guestId,
  is_visible: comment.is_visible === 1,
  created_at: isoTime(comment.created_at),
})

async function countOwnComments(
  db: GalleryAccessContext['db'],
  photoId: number,
  guestId: string | null,
): Promise<number> {
  if (guestId === null) return 0
  const { count } = await db
    .selectFrom('feedback')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('photo_id', '=', photoId)
    .where('guest_id', '=', guestId)
    .where('kind', '=', 'comment')
    .executeTakeFirstOrThrow()
  return Number(count)
}
