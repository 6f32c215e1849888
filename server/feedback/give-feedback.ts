import type { CompiledQuery } from 'kysely'
import { type FeedbackBody, type FeedbackReply, maxCommentsPerPhoto } from '../../contract/feedback.ts'
import type { FeedbackKind } from '../../contract/marks.ts'
import { must } from '../../contract/must.ts'
import { maxCommentLength } from '../../contract/text-lengths.ts'
import { addDayCounts, dayCountKeys } from '../events/event-days.ts'
import { assertNotErased, getActingGuest, selectGuest } from '../events/guests/guest-rows.ts'
import { saveGuestName } from '../events/guests/save-guest-name.ts'
import { compileOnce, runCompiled, runTogether } from '../platform/database/compile-once.ts'
import { flag, type Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { markChangeQueries } from './change-feedback.ts'
import { parseGuestText } from './guest-text.ts'
import {
  loadGuestMarks,
  lockCountersQuery,
  type StoredMark,
  selectGuestMarks,
  updateCounters,
} from './marks/count-marks.ts'
import type { FeedbackTable, MarkedPhoto } from './marks/feedback-rows.ts'
import { applyMarkChange, type MarkCounts } from './marks/mark-rules.ts'
import type { MarkGuard } from './marks/markable-photo.ts'
import { insertThread, type ThreadRow } from './threads/thread-rows.ts'

export type FeedbackInput = {
  eventId: number
  guestId: string
  body: FeedbackBody
  isModerated: boolean
  requiresName: boolean
  photoId: number
  guard: MarkGuard
  /** Called with the thread of a new comment, in the transaction. */
  announce: (tx: Tx, thread: ThreadRow) => Promise<void>
  /** Called with the response, in the transaction that stores the feedback. */
  record: (tx: Tx, answer: FeedbackReply) => Promise<void>
}

type FeedbackValues = Pick<FeedbackTable, 'rating' | 'color_label' | 'comment_text'>
/** `kept`: the same value again, which changes nothing. */
type Outcome = {
  did: 'created' | 'updated' | 'kept' | 'removed'
  mark: StoredMark | null
  after: StoredMark[]
  /** Still to be run. */
  write: CompiledQuery[]
}

/**
 * Giving the same color, like or favorite again removes it, unless `set` is true. A rating of 0, a null color, and
 * `set: false` with a color, like or favorite also remove the feedback. Throws VALIDATION_ERROR, COMMENT_LIMIT_REACHED
 * and the errors of the guard.
 */
export async function giveFeedback(
  { db, clock, changes }: PlatformContext,
  input: FeedbackInput,
): Promise<FeedbackReply> {
  const { body } = input
  const feedbackValues = parseFeedback(body)
  const now = clock.now()
  const answer = await inTransaction(db, `event ${input.eventId}`, async (tx) => {
    const { photo, counts, guestId, before } = await loadMarked(tx, input, now)
    if (body.feedback_type !== 'comment') {
      await input.guard.assertChange(tx, photo, { guestId, picks: countPicks(body, before, feedbackValues) })
    }
    const outcome = await saveFeedback(tx, { ...input, guestId, photo, now }, before, feedbackValues)
    const { did, mark, after, write } = outcome
    await runTogether(tx, [
      ...write,
      ...(after === before
        ? []
        : [updateCounters(tx, photo.id, applyMarkChange(counts, before, after), { counts, now })]),
      ...(mark && did !== 'kept' ? markChangeQueries(tx, photo, guestId, mark, did, now) : []),
      ...(did === 'created' ? countOnDay(tx, photo.event_id, now, body.feedback_type) : []),
    ])
    const answer = toReply(outcome)
    await input.record(tx, answer)
    return answer
  })
  changes.notify('live', input.eventId)
  return answer
}

type MarkedState = {
  photo: ReturnType<MarkGuard['assertPhoto']>
  counts: MarkCounts
  guestId: string
  before: StoredMark[]
}

/** Locks the counters of the photo. Stores the name of the guest, who may have been merged since the session began. */
async function loadMarked(
  tx: Tx,
  { eventId, photoId, guestId: sessionGuest, body, requiresName, guard }: FeedbackInput,
  now: number,
): Promise<MarkedState> {
  const [[found], [counts], [guest], marks] = await runTogether(tx, [
    guard.selectPhoto(tx, photoId),
    lockCountersQuery(tx, { id: photoId, event_id: eventId }),
    selectGuest(tx, eventId, sessionGuest),
    selectGuestMarks(tx, photoId, sessionGuest),
  ])
  const photo = guard.assertPhoto(found)
  const guestId = assertNotErased(getActingGuest(guest, sessionGuest))
  await saveGuestName(tx, { eventId, guestId, body, requiresName, now })
  const before = guestId === sessionGuest ? marks : await loadGuestMarks(tx, photoId, guestId)
  return { photo, counts: must(counts, 'the counters of a photo'), guestId, before }
}

/** Returns how many photos the guest has picked more after the change. */
function countPicks({ feedback_type, set }: FeedbackBody, before: StoredMark[], given: FeedbackValues | null) {
  if (feedback_type !== 'favorite') return 0
  const isPicked = before.some(({ kind }) => kind === 'favorite')
  const willBePicked = given !== null && (set === true || !isPicked)
  return willBePicked === isPicked ? 0 : willBePicked ? 1 : -1
}

const countOnDay = (tx: Tx, eventId: number, now: number, kind: FeedbackKind): CompiledQuery[] =>
  [addDayCounts(tx, eventId, now, { [dayCountKeys[kind]]: 1 })].filter((query) => query !== null)

type SaveInput = Pick<FeedbackInput, 'body' | 'isModerated' | 'announce'> & {
  photo: MarkedPhoto
  guestId: string
  now: number
}

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
    if (feedbackValues === null) return { did: 'removed', mark: null, after: before, write: [] }
    const mark = await insertFeedback(tx, saveInput, feedbackValues)
    return { did: 'created', mark, after: [...before, mark], write: [] }
  }
  const others = before.filter((mark) => mark !== earlier)
  if (feedbackValues === null || (saveInput.body.set !== true && isToggledOff(earlier, feedbackValues))) {
    const mark = { ...earlier, rating: null, color_label: null }
    return { did: 'removed', mark, after: others, write: [deleteFeedback(tx, earlier.id)] }
  }
  if (earlier.rating === feedbackValues.rating && earlier.color_label === feedbackValues.color_label) {
    return { did: 'kept', mark: earlier, after: before, write: [] }
  }
  const write = [updateFeedback(tx, earlier.id, feedbackValues, saveInput.now)]
  const mark = { ...earlier, ...feedbackValues }
  return { did: 'updated', mark, after: [...others, mark], write }
}

const deleteFeedback = (tx: Tx, id: number): CompiledQuery =>
  compileOnce(tx, 'delete feedback', { id }, ({ id }) => tx.deleteFrom('feedback').where('id', '=', id))

const updateFeedback = (tx: Tx, id: number, feedbackValues: FeedbackValues, now: number): CompiledQuery =>
  compileOnce(tx, 'update feedback', { ...feedbackValues, updated_at: now, id }, ({ id, ...values }) =>
    tx.updateTable('feedback').set(values).where('id', '=', id),
  )

async function insertFeedback(
  tx: Tx,
  { photo, guestId, body, isModerated, announce, now }: SaveInput,
  feedbackValues: FeedbackValues,
): Promise<StoredMark> {
  const { comment_text, ...given } = feedbackValues
  const kind = body.feedback_type
  const mark = { kind, ...given, is_visible: flag(!(isModerated && kind === 'comment')), judged_at: null }
  const keys = { event_id: photo.event_id, photo_id: photo.id, guest_id: guestId }
  const columns = { ...keys, ...mark, comment_text, created_at: now, updated_at: now }
  const [inserted] = await runCompiled(tx, 'insert feedback', columns, (values) =>
    tx.insertInto('feedback').values(values).returning('id'),
  )
  const { id } = must(inserted, 'the new feedback')
  if (kind === 'comment') {
    const thread = { eventId: photo.event_id, guestId, photoId: photo.id, kind, feedbackId: id, text: null, now }
    await announce(tx, await insertThread(tx, thread))
  }
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
