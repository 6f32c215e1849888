import type { FeedbackBody, FeedbackReply } from '../../contract/marks.ts'
import type { Backends } from '../platform/backends.ts'
import type { Tx } from '../platform/database/tables.ts'
import { invalidField } from '../platform/refusal.ts'
import { countMarks, holdCounters } from './count-marks.ts'
import type { FeedbackTable, MarkedPhoto } from './mark-rows.ts'

type Given = Pick<FeedbackTable, 'rating' | 'color_label'>
type Earlier = Given & { id: number }

/**
 * A guest's rating, colour, like or favourite, with the counters of the photo in the same transaction. The same colour,
 * like or favourite again removes it; rating 0 and colour null clear (decisions §7). `getPhoto` finds the photo in the
 * transaction and throws where it may not be marked any more.
 */
export async function giveFeedback(
  { db, clock }: Backends,
  guestId: string,
  getPhoto: (tx: Tx) => Promise<MarkedPhoto>,
  body: FeedbackBody,
): Promise<FeedbackReply> {
  const given = givenIn(body)
  return db.transaction().execute(async (tx) => {
    const photo = await getPhoto(tx)
    await holdCounters(tx, photo)
    const earlier = await tx
      .selectFrom('feedback')
      .select(['id', 'rating', 'color_label'])
      .where('photo_id', '=', photo.id)
      .where('guest_id', '=', guestId)
      .where('kind', '=', body.feedback_type)
      .executeTakeFirst()
    const reply = await keep(tx, { photo, guestId, body, now: clock.now() }, earlier, given)
    await countMarks(tx, photo.id)
    return reply
  })
}

type Giving = { photo: MarkedPhoto; guestId: string; body: FeedbackBody; now: number }

async function keep(tx: Tx, giving: Giving, earlier: Earlier | undefined, given: Given | null): Promise<FeedbackReply> {
  if (!earlier) return given === null ? replyOf(null, 'removed') : replyOf(await add(tx, giving, given), 'created')
  if (given === null || isTakenBack(earlier, given)) {
    await tx.deleteFrom('feedback').where('id', '=', earlier.id).execute()
    return replyOf(earlier.id, 'removed')
  }
  const values = { ...given, updated_at: giving.now }
  await tx.updateTable('feedback').set(values).where('id', '=', earlier.id).execute()
  return replyOf(earlier.id, 'updated')
}

async function add(tx: Tx, { photo, guestId, body, now }: Giving, given: Given): Promise<number> {
  const row = await tx
    .insertInto('feedback')
    .values({
      event_id: photo.event_id,
      photo_id: photo.id,
      guest_id: guestId,
      kind: body.feedback_type,
      ...given,
      comment_text: null,
      guest_name: body.guest_name ?? null,
      guest_email: body.guest_email ?? null,
      is_visible: 1,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Null clears. Throws VALIDATION_ERROR for a value that the kind needs and that was not sent. */
function givenIn({ feedback_type, rating, color_label }: FeedbackBody): Given | null {
  switch (feedback_type) {
    case 'rating':
      if (rating === undefined || rating === null) throw invalidField('rating', 'is required: 1 to 5, or 0 to clear')
      return rating === 0 ? null : { rating, color_label: null }
    case 'color_label':
      if (color_label === undefined) throw invalidField('color_label', 'is required: a colour, or null to clear')
      return color_label === null ? null : { rating: null, color_label }
    default:
      return { rating: null, color_label: null }
  }
}

/** The same colour again, or a like that stands; giving the same rating again keeps it. */
const isTakenBack = (earlier: Given, given: Given): boolean =>
  given.rating === null && earlier.color_label === given.color_label

const replyOf = (id: number | null, did: 'created' | 'updated' | 'removed'): FeedbackReply => ({
  success: true,
  id,
  created: did === 'created',
  updated: did === 'updated',
  removed: did === 'removed',
})
