import type { EventSwitch } from '../../../contract/event-features.ts'
import { pictureUnits, type ThreadKind } from '../../../contract/gallery/thread-kinds.ts'
import {
  type AnswerBody,
  type GuestThread,
  type GuestThreadsQuery,
  markingKinds,
  maxMarkingsPerPhoto,
  type ThreadBody,
  type ThreadState,
} from '../../../contract/gallery/threads.ts'
import { must } from '../../../contract/must.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { resolveMergedGuest } from '../../events/guests/guest-rows.ts'
import { saveGuestName } from '../../events/guests/save-guest-name.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { getEventForFeedback, getOpenEvent } from '../../gallery-access/get-event-for-feedback.ts'
import { getGuestCaller, type OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { assertViewable, isBeforeReveal, showsFeedback } from '../../gallery-access/viewing-rules.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { parseGuestText } from '../guest-text.ts'
import { getMarkablePhoto } from '../marks/markable-photo.ts'
import { operators, requestNotice } from '../notices/notice-rows.ts'
import { assertIntendedGuest, authorizeFeedback } from '../store-guest-feedback.ts'
import { addAnswer, deleteAnswer, findAnswer, hasOperatorAnswer } from './answer-rows.ts'
import {
  findGuestThread,
  type GuestView,
  listGuestThreads,
  plainView,
  type ThreadReader,
} from './list-guest-threads.ts'
import { announceThread, changeState, recordThreadChange } from './thread-changes.ts'
import {
  countThreads,
  findThread,
  insertThread,
  nextNumber,
  setSettled,
  type ThreadMark,
  type ThreadRow,
  withdrawThreads,
} from './thread-rows.ts'

const switchOf: Record<ThreadKind, EventSwitch> = {
  comment: 'allow_comments',
  note: 'allow_notes',
  pin: 'allow_annotations',
  box: 'allow_annotations',
}

type Recorder = (tx: Tx, id: number, answer: GuestThread) => Promise<void>

/**
 * Stores a pin or a box with its text. `record` runs in the transaction. Throws NOT_FOUND, GALLERY_EXPIRED, FORBIDDEN for
 * an operator, FEEDBACK_DISABLED, THREAD_LIMIT_REACHED and VALIDATION_ERROR.
 */
export async function startThread(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  photoId: number,
  body: ThreadBody,
  record: Recorder,
): Promise<GuestThread> {
  await authorizeFeedback(ctx, gallery, photoId)
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  if (body.guest_id !== undefined) await assertIntendedGuest(ctx, gallery.event, body.guest_id, sessionGuest)
  const text = parseGuestText(body.text, 'text', maxNoteLength)
  const place = parseMark(body)
  const origin = await ctx.settings.linkOrigin()
  const view = await loadGuestView(ctx, gallery)
  const answer = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const now = ctx.clock.now()
    const event = await getEventForFeedback(tx, eventId, now)
    assertKindIsOn(event, body.kind)
    await getMarkablePhoto(tx, eventId, photoId)
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    await saveGuestName(tx, { eventId, guestId, body, requiresName: event.require_guest_name === 1, now })
    const count = await countThreads(tx, { eventId, guestId }, markingKinds, photoId)
    if (count >= maxMarkingsPerPhoto) throw new AppError('THREAD_LIMIT_REACHED')
    const mark = { ...place, number: await nextNumber(tx, photoId) }
    const thread = await insertThread(tx, { eventId, guestId, photoId, kind: body.kind, mark, text, now })
    await recordThreadChange(tx, thread, 'created', now)
    await announceThread(tx, event, thread, origin)
    await requestNotice(tx, eventId, operators, now)
    const stored = must(await findGuestThread(tx, eventId, thread.id, readerOf(event, guestId), view), 'the new thread')
    await record(tx, thread.id, stored)
    return stored
  })
  ctx.changes.notify('live', eventId)
  ctx.changes.notify('delivery', null)
  return answer
}

/**
 * Stores an answer, and opens a settled thread again. `record` runs in the transaction. Throws NOT_FOUND for a thread that
 * the guest does not see, and the errors of `startThread`.
 */
export async function answerThread(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  threadId: number,
  body: AnswerBody,
  record: Recorder,
): Promise<GuestThread> {
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  if (body.guest_id !== undefined) await assertIntendedGuest(ctx, gallery.event, body.guest_id, sessionGuest)
  const text = parseGuestText(body.text, 'text', maxNoteLength)
  return changeThread(
    ctx,
    gallery,
    threadId,
    async (tx, { event, thread, guestId, now }) => {
      assertKindIsOn(event, thread.kind)
      await saveGuestName(tx, { eventId, guestId, body, requiresName: event.require_guest_name === 1, now })
      const isPublic = thread.kind === 'comment' && !(await hasOperatorAnswer(tx, thread.id))
      const needsApproval = isPublic && event.moderate_comments === 1
      await addAnswer(tx, thread, { guestId, userId: null, isVisible: !needsApproval, text, now })
      if (thread.settled_at !== null) await setSettled(tx, thread.id, null)
      await recordThreadChange(tx, thread, 'answered', now)
      if (!isPublic) await requestNotice(tx, eventId, operators, now)
    },
    record,
  )
}

/** Works even while feedback is disabled. Throws NOT_FOUND, and FORBIDDEN for a thread of another guest. */
export const settleThread = (
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  threadId: number,
  state: ThreadState,
): Promise<GuestThread> =>
  changeThread(ctx, gallery, threadId, async (tx, { thread, guestId, now }) => {
    if (thread.guest_id !== guestId) throw new AppError('FORBIDDEN', { text: 'This is the request of another guest.' })
    await changeState(tx, thread, state, { by: null, now })
  })

/**
 * Takes a pin or a box back; it stays without its text if somebody has answered. Works even while feedback is disabled.
 * Throws NOT_FOUND for anything except a pin or a box of the guest.
 */
export const removeOwnThread = (ctx: GalleryAccessContext, gallery: OpenGallery, threadId: number): Promise<void> =>
  changeFoundThread(ctx, gallery, threadId, async (tx, { event, thread, guestId, now }) => {
    const seen = await findGuestThread(tx, event.id, threadId, readerOf(event, guestId), plainView)
    const isMarking = thread.kind === 'pin' || thread.kind === 'box'
    if (!seen?.is_own || !isMarking || thread.text === null) throw new AppError('NOT_FOUND')
    await withdrawThreads(tx, [threadId])
    await recordThreadChange(tx, thread, 'removed', now)
  })

/**
 * Works even while feedback is disabled, and if the guest no longer sees the comment. Throws NOT_FOUND for anything except
 * an answer of the guest.
 */
export const removeOwnAnswer = (
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  threadId: number,
  answerId: number,
): Promise<void> =>
  changeFoundThread(ctx, gallery, threadId, async (tx, { thread, guestId, now }) => {
    const answer = await findAnswer(tx, threadId, answerId)
    if (answer?.guest_id !== guestId) throw new AppError('NOT_FOUND')
    await deleteAnswer(tx, answerId)
    await recordThreadChange(tx, thread, 'removed', now)
  })

type Change = { event: EventRow; thread: ThreadRow; guestId: string; now: number }

/** Changes a thread that the guest sees, and returns it. */
async function changeThread(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  threadId: number,
  change: (tx: Tx, change: Change) => Promise<void>,
  record?: Recorder,
): Promise<GuestThread> {
  const view = await loadGuestView(ctx, gallery)
  return changeFoundThread(ctx, gallery, threadId, async (tx, found) => {
    const load = () => findGuestThread(tx, found.event.id, threadId, readerOf(found.event, found.guestId), view)
    if (!(await load())) throw new AppError('NOT_FOUND')
    await change(tx, found)
    const changed = must(await load(), 'the changed thread')
    await record?.(tx, threadId, changed)
    return changed
  })
}

/** Changes a thread of the event, which the guest may not see. */
async function changeFoundThread<Answer>(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  threadId: number,
  change: (tx: Tx, change: Change) => Promise<Answer>,
): Promise<Answer> {
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  const answer = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const now = ctx.clock.now()
    const event = await getOpenEvent(tx, eventId, now)
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    const thread = await findThread(tx, eventId, threadId)
    if (!thread) throw new AppError('NOT_FOUND')
    return change(tx, { event, thread, guestId, now })
  })
  ctx.changes.notify('live', eventId)
  return answer
}

/**
 * For a photo oldest first, for the whole gallery newest first. Throws NOT_FOUND before the reveal and for a photo that
 * guests do not see.
 */
export async function listOwnThreads(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  query: GuestThreadsQuery,
  photoId?: number,
) {
  const { event, viewer } = gallery
  const now = ctx.clock.now()
  if (photoId !== undefined) assertViewable(event, await ctx.galleries.photo(photoId), viewer, 'photo', now)
  if (viewer.kind !== 'guest') return { threads: [], pagination: toPagination(query, 0) }
  if (isBeforeReveal(event, now)) throw new AppError('NOT_FOUND')
  const reader = readerOf(event, viewer.guest.guestId)
  const where = photoId === undefined ? query : { ...query, photoId }
  return listGuestThreads(ctx.db, event.id, reader, where, await loadGuestView(ctx, gallery))
}

/** Throws NOT_FOUND for a thread that the guest does not see. */
export async function getOwnThread(ctx: GalleryAccessContext, gallery: OpenGallery, id: number): Promise<GuestThread> {
  const { event } = gallery
  const { guestId } = getGuestCaller(gallery)
  if (isBeforeReveal(event, ctx.clock.now())) throw new AppError('NOT_FOUND')
  const view = await loadGuestView(ctx, gallery)
  const thread = await findGuestThread(ctx.db, event.id, id, readerOf(event, guestId), view)
  if (!thread) throw new AppError('NOT_FOUND')
  return thread
}

const readerOf = (event: EventRow, guestId: string): ThreadReader => ({ guestId, showsOthers: showsFeedback(event) })

async function loadGuestView({ settings }: GalleryAccessContext, { event }: OpenGallery): Promise<GuestView> {
  const { branding_studio_name: studioName } = await settings.values()
  return { studioName: studioName || null, canAnswer: (kind) => isKindOn(event, kind) }
}

/** The words of a decision about a version are notes too. */
const isKindOn = (event: EventRow, kind: ThreadKind): boolean =>
  event.feedback_enabled === 1 && (event[switchOf[kind]] === 1 || (kind === 'note' && event.keep_versions === 1))

function assertKindIsOn(event: EventRow, kind: ThreadKind): void {
  if (!isKindOn(event, kind)) throw new AppError('FEEDBACK_DISABLED')
}

/** Throws VALIDATION_ERROR for a box that lies partly outside of the picture, and for one without a size. */
function parseMark({ kind, x, y, w, h }: ThreadBody): Omit<ThreadMark, 'number'> {
  if (kind === 'pin') return { x, y, w: null, h: null }
  for (const [name, start, size] of [
    ['w', x, w],
    ['h', y, h],
  ] as const) {
    if (!size) throw invalidField(name, 'is required for a box, and at least 1')
    if (start + size > pictureUnits) throw invalidField(name, 'leads out of the picture')
  }
  return { x, y, w: w ?? null, h: h ?? null }
}
