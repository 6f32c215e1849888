import { type FeedbackBody, type FeedbackReply, maxCommentsPerPhoto } from '../../contract/feedback.ts'
import type { FeedbackKind } from '../../contract/marks.ts'
import { maxCommentLength } from '../../contract/text-lengths.ts'
import { AppError, invalidField } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { flag } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { holdCounters, type KeptMark, marksOf, moveCounters } from './count-marks.ts'
import { countOfKind, countToday } from './event-days.ts'
import { noteFeedbackChange } from './feedback-change-rows.ts'
import { actingGuest, findGuest } from './guest-rows.ts'
import { noteLiveEvent } from './live-event-rows.ts'
import type { FeedbackTable, MarkedPhoto } from './mark-rows.ts'
import { statusOf } from './mark-rules.ts'
import { nameGuest, plainGuestName } from './name-guest.ts'

export type Giving = {
  eventId: number
  guestId: string
  body: FeedbackBody
  isModerated: boolean
  wantsName: boolean
  /** Throws if the photo may no longer be marked. */
  getPhoto: (tx: Tx) => Promise<MarkedPhoto>
  /** Runs in the transaction with the response. */
  record: (tx: Tx, answer: FeedbackReply) => Promise<void>
}

type Given = Pick<FeedbackTable, 'rating' | 'color_label' | 'comment_text'>
/** `kept`: the same value again, which changes nothing. */
type Outcome = { did: 'created' | 'updated' | 'kept' | 'removed'; mark: KeptMark | null; after: KeptMark[] }

/**
 * The same color, like or favorite again removes it, unless `set` is given; rating 0 and color null clear. Throws
 * VALIDATION_ERROR and COMMENT_LIMIT_REACHED.
 */
export async function giveFeedback({ db, clock, changes }: PlatformContext, giving: Giving): Promise<FeedbackReply> {
  const { body } = giving
  const given = givenIn(body)
  const now = clock.now()
  const answer = await inTransaction(db, `event ${giving.eventId}`, async (tx) => {
    const photo = await giving.getPhoto(tx)
    const held = await holdCounters(tx, photo)
    // The guest may have been merged since the session was checked.
    const guestId = await actingGuest(tx, photo.event_id, giving.guestId)
    await meetGuest(tx, photo.event_id, { ...giving, guestId }, now)
    const before = await marksOf(tx, photo.id, guestId)
    const outcome = await keep(tx, { ...giving, guestId, photo, now }, before, given)
    await moveCounters(tx, photo.id, held, { before, after: outcome.after })
    await tell(tx, guestId, photo, outcome, now)
    if (outcome.did === 'created') await countToday(tx, photo.event_id, now, { [countOfKind[body.feedback_type]]: 1 })
    const answer = replyOf(outcome)
    await giving.record(tx, answer)
    return answer
  })
  changes.tell('live', giving.eventId)
  return answer
}

async function meetGuest(tx: Tx, eventId: number, { guestId, body, wantsName }: Giving, now: number): Promise<void> {
  const name = plainGuestName(body.guest_name ?? '')
  const email = body.guest_email ?? null
  if (name === null && wantsName && !(await findGuest(tx, eventId, guestId))?.name) {
    throw invalidField('guest_name', 'is required')
  }
  if (name !== null || email !== null) await nameGuest(tx, { eventId, guestId, name, email, now })
}

type Keeping = Giving & { photo: MarkedPhoto; now: number }

async function keep(tx: Tx, keeping: Keeping, before: KeptMark[], given: Given | null): Promise<Outcome> {
  const ofKind = before.filter(({ kind }) => kind === keeping.body.feedback_type)
  const isComment = keeping.body.feedback_type === 'comment'
  if (isComment && ofKind.length >= maxCommentsPerPhoto) throw new AppError('COMMENT_LIMIT_REACHED')
  const [earlier] = isComment ? [] : ofKind
  if (!earlier) {
    if (given === null) return { did: 'removed', mark: null, after: before }
    const mark = await add(tx, keeping, given)
    return { did: 'created', mark, after: [...before, mark] }
  }
  const others = before.filter((mark) => mark !== earlier)
  if (given === null || (keeping.body.set !== true && isTakenBack(earlier, given))) {
    await tx.deleteFrom('feedback').where('id', '=', earlier.id).execute()
    return { did: 'removed', mark: { ...earlier, rating: null, color_label: null }, after: others }
  }
  if (earlier.rating === given.rating && earlier.color_label === given.color_label) {
    return { did: 'kept', mark: earlier, after: before }
  }
  const values = { ...given, updated_at: keeping.now }
  await tx.updateTable('feedback').set(values).where('id', '=', earlier.id).execute()
  const mark = { ...earlier, ...given }
  return { did: 'updated', mark, after: [...others, mark] }
}

async function add(tx: Tx, { photo, guestId, body, isModerated, now }: Keeping, given: Given): Promise<KeptMark> {
  const mark = {
    kind: body.feedback_type,
    rating: given.rating,
    color_label: given.color_label,
    is_visible: flag(!(isModerated && body.feedback_type === 'comment')),
    judged_at: null,
  }
  const { id } = await tx
    .insertInto('feedback')
    .values({
      ...mark,
      event_id: photo.event_id,
      photo_id: photo.id,
      guest_id: guestId,
      comment_text: given.comment_text,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, ...mark }
}

async function tell(tx: Tx, guestId: string, photo: MarkedPhoto, { did, mark }: Outcome, now: number): Promise<void> {
  if (!mark || did === 'kept') return
  const { id, kind, rating, color_label } = mark
  const data = { did, feedback_type: kind, rating, color_label, status: statusOf(mark) }
  const place = { event_id: photo.event_id, photo_id: photo.id, feedback_id: id, guest_id: guestId }
  await noteLiveEvent(tx, { type: 'feedback', ...place, data }, now)
  await noteFeedbackChange(tx, photo.event_id, guestId, now)
}

/** Returns null to clear. */
function givenIn({ feedback_type, rating, color_label, comment_text, set }: FeedbackBody): Given | null {
  const nothing = { rating: null, color_label: null, comment_text: null }
  if (set === false && takenBackBySame.includes(feedback_type)) return null
  switch (feedback_type) {
    case 'rating':
      if (rating === undefined || rating === null) throw invalidField('rating', 'is required: 1 to 5, or 0 to clear')
      return rating === 0 ? null : { ...nothing, rating }
    case 'color_label':
      if (color_label === undefined) throw invalidField('color_label', 'is required: a colour, or null to clear')
      return color_label === null ? null : { ...nothing, color_label }
    case 'comment':
      return { ...nothing, comment_text: commentIn(comment_text ?? '') }
    default:
      return nothing
  }
}

const takenBackBySame: readonly FeedbackKind[] = ['like', 'favorite', 'color_label']

function commentIn(text: string): string {
  const comment = text.trim()
  if (!/[^\s\p{C}]/u.test(comment)) throw invalidField('comment_text', 'is required')
  if ([...comment].length > maxCommentLength) {
    throw invalidField('comment_text', `must not be longer than ${maxCommentLength} characters`)
  }
  return comment
}

/** The same rating again does not remove it. */
const isTakenBack = (earlier: KeptMark, given: Given): boolean =>
  given.rating === null && earlier.color_label === given.color_label

const replyOf = ({ did, mark }: Outcome): FeedbackReply => ({
  success: true,
  id: mark?.id ?? null,
  created: did === 'created',
  updated: did === 'updated' || did === 'kept',
  removed: did === 'removed',
})
