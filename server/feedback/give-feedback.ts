import { type FeedbackBody, type FeedbackReply, maxCommentsPerPhoto } from '../../contract/feedback.ts'
import type { FeedbackKind } from '../../contract/marks.ts'
import { maxCommentLength } from '../../contract/text-lengths.ts'
import { AppError, invalidField } from '../platform/app-error.ts'
import { flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { recordMarkChange } from './change-feedback.ts'
import { loadGuestMarks, lockCounters, type StoredMark, writeCounters } from './count-marks.ts'
import { addToDayCounts, dayCountKeys } from './event-days.ts'
import { resolveMergedGuest } from './guest-rows.ts'
import { parseGuestText } from './guest-text.ts'
import type { FeedbackTable, MarkedPhoto } from './mark-rows.ts'
import { applyMarkChange } from './mark-rules.ts'
import { saveGuestName } from './save-guest-name.ts'

export type FeedbackInput = {
  eventId: number
  guestId: string
  body: FeedbackBody
  isModerated: boolean
  requiresName: boolean
  /** Throws if the guest may no longer give feedback to the photo. */
  getPhoto: (tx: Tx) => Promise<MarkedPhoto>
  /** Called with the response, in the transaction that stores the feedback. */
  record: (tx: Tx, answer: FeedbackReply) => Promise<void>
}

type FeedbackValues = Pick<FeedbackTable, 'rating' | 'color_label' | 'comment_text'>
/** `kept`: the same value again, which changes nothing. */
type Outcome = { did: 'created' | 'updated' | 'kept' | 'removed'; mark: StoredMark | null; after: StoredMark[] }

/**
 * Giving the same color, like or favorite again removes it, unless `set` is true. A rating of 0, a null color, and
 * `set: false` with a color, like or favorite also remove the feedback. Throws VALIDATION_ERROR, COMMENT_LIMIT_REACHED
 * and the errors of `getPhoto`.
 */
export async function giveFeedback(
  { db, clock, changes }: PlatformContext,
  input: FeedbackInput,
): Promise<FeedbackReply> {
  const { body } = input
  const feedbackValues = parseFeedback(body)
  const now = clock.now()
  const answer = await inTransaction(db, `event ${input.eventId}`, async (tx) => {
    const photo = await input.getPhoto(tx)
    const lockedCounts = await lockCounters(tx, photo)
    // The guest may have been merged since the session was checked.
    const guestId = await resolveMergedGuest(tx, photo.event_id, input.guestId)
    await saveGuestName(tx, { eventId: photo.event_id, guestId, body, requiresName: input.requiresName, now })
    const before = await loadGuestMarks(tx, photo.id, guestId)
    const outcome = await saveFeedback(tx, { ...input, guestId, photo, now }, before, feedbackValues)
    await writeCounters(tx, photo.id, applyMarkChange(lockedCounts, before, outcome.after))
    const { did, mark } = outcome
    if (mark && did !== 'kept') await recordMarkChange(tx, photo, guestId, mark, did, now)
    if (did === 'created') await addToDayCounts(tx, photo.event_id, now, { [dayCountKeys[body.feedback_type]]: 1 })
    const answer = toReply(outcome)
    await input.record(tx, answer)
    return answer
  })
  changes.notify('live', input.eventId)
  return answer
}

type SaveInput = FeedbackInput & { photo: MarkedPhoto; now: number }

async function saveFeedback(
  tx: Tx,
  saveInput: SaveInput,
  before: StoredMark[],
  feedbackValues: FeedbackValues | null,
): Promise<Outcome> {
  const sameKind = before.filter(({ kind }) => kind === saveInput.body.feedback_type)
  const isComment = saveInput.body.feedback_type === 'comment'
  if (isComment && sameKind.length >= maxCommentsPerPhoto) throw new AppError('COMMENT_LIMIT_REACHED')
  const [earlier] = isComment ? [] : sameKind
  if (!earlier) {
    if (feedbackValues === null) return { did: 'removed', mark: null, after: before }
    const mark = await insertFeedback(tx, saveInput, feedbackValues)
    return { did: 'created', mark, after: [...before, mark] }
  }
  const others = before.filter((mark) => mark !== earlier)
  if (feedbackValues === null || (saveInput.body.set !== true && isToggledOff(earlier, feedbackValues))) {
    await tx.deleteFrom('feedback').where('id', '=', earlier.id).execute()
    return { did: 'removed', mark: { ...earlier, rating: null, color_label: null }, after: others }
  }
  if (earlier.rating === feedbackValues.rating && earlier.color_label === feedbackValues.color_label) {
    return { did: 'kept', mark: earlier, after: before }
  }
  const values = { ...feedbackValues, updated_at: saveInput.now }
  await tx.updateTable('feedback').set(values).where('id', '=', earlier.id).execute()
  const mark = { ...earlier, ...feedbackValues }
  return { did: 'updated', mark, after: [...others, mark] }
}

async function insertFeedback(
  tx: Tx,
  { photo, guestId, body, isModerated, now }: SaveInput,
  feedbackValues: FeedbackValues,
): Promise<StoredMark> {
  const { comment_text, ...given } = feedbackValues
  const kind = body.feedback_type
  const mark = { kind, ...given, is_visible: flag(!(isModerated && kind === 'comment')), judged_at: null }
  const keys = { event_id: photo.event_id, photo_id: photo.id, guest_id: guestId }
  const { id } = await tx
    .insertInto('feedback')
    .values({ ...keys, ...mark, comment_text, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, ...mark }
}

/** Returns null if the feedback is to be removed. Throws VALIDATION_ERROR. */
function parseFeedback({ feedback_type, rating, color_label, comment_text, set }: FeedbackBody): FeedbackValues | null {
  const nothing = { rating: null, color_label: null, comment_text: null }
  if (set === false && toggledKinds.includes(feedback_type)) return null
  switch (feedback_type) {
    case 'rating':
      if (rating === undefined || rating === null) throw invalidField('rating', 'is required: 1 to 5, or 0 to clear')
      return rating === 0 ? null : { ...nothing, rating }
    case 'color_label':
      if (color_label === undefined) throw invalidField('color_label', 'is required: a colour, or null to clear')
      return color_label === null ? null : { ...nothing, color_label }
    case 'comment':
      return { ...nothing, comment_text: parseGuestText(comment_text ?? '', 'comment_text', maxCommentLength) }
    default:
      return nothing
  }
}

const toggledKinds: readonly FeedbackKind[] = ['like', 'favorite', 'color_label']

/** Giving the same rating again does not remove the rating. */
const isToggledOff = (earlier: StoredMark, feedbackValues: FeedbackValues): boolean =>
  feedbackValues.rating === null && earlier.color_label === feedbackValues.color_label

const toReply = ({ did, mark }: Outcome): FeedbackReply => ({
  success: true,
  id: mark?.id ?? null,
  created: did === 'created',
  updated: did === 'updated' || did === 'kept',
  removed: did === 'removed',
})
