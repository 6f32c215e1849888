import { maxNotesPerGuest, type NoteBody, type OwnNote, type OwnNotesQuery } from '../../../contract/gallery/notes.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { resolveMergedGuest } from '../../events/guests/guest-rows.ts'
import { saveGuestName } from '../../events/guests/save-guest-name.ts'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { getEventForFeedback } from '../../gallery-access/get-event-for-feedback.ts'
import { getGuestCaller, type OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { parseGuestText } from '../guest-text.ts'
import { getMarkablePhoto } from '../marks/markable-photo.ts'
import { operators, requestNotice } from '../notices/notice-rows.ts'
import { authorizeFeedback } from '../store-guest-feedback.ts'
import { announceThread } from '../threads/thread-changes.ts'
import { countThreads, findThread, insertThread, type ThreadRow, withdrawThreads } from '../threads/thread-rows.ts'
import { listOwnNotes } from './list-notes.ts'

/**
 * Stores a note that only the operators read. `record` runs in the transaction. Throws NOT_FOUND (also before the reveal
 * and for a photo that guests do not see), GALLERY_EXPIRED, FORBIDDEN for an operator, FEEDBACK_DISABLED,
 * NOTE_LIMIT_REACHED and VALIDATION_ERROR.
 */
export async function writeNote(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  body: NoteBody,
  record: (tx: Tx, id: number, answer: OwnNote) => Promise<void>,
): Promise<OwnNote> {
  const photoId = body.photo_id ?? null
  if (photoId !== null) await authorizeFeedback(ctx, gallery, photoId)
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  const text = parseGuestText(body.text, 'text', maxNoteLength)
  const origin = await ctx.settings.linkOrigin()
  const answer = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const now = ctx.clock.now()
    const event = await getEventForFeedback(tx, eventId, now)
    if (event.allow_notes === 0) throw new AppError('FEEDBACK_DISABLED')
    if (photoId !== null) await getMarkablePhoto(tx, eventId, photoId)
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    await saveGuestName(tx, { eventId, guestId, body, requiresName: event.require_guest_name === 1, now })
    const count = await countThreads(tx, { eventId, guestId }, ['note'])
    if (count >= maxNotesPerGuest) throw new AppError('NOTE_LIMIT_REACHED')
    const note = await insertThread(tx, { eventId, guestId, photoId, kind: 'note', text, now })
    await recordNoteChange(tx, { eventId, guestId }, now)
    await announceThread(tx, event, note, origin)
    await requestNotice(tx, eventId, operators, now)
    const answer = ownNote({ ...note, text })
    await record(tx, note.id, answer)
    return answer
  })
  ctx.changes.notify('live', eventId)
  ctx.changes.notify('delivery', null)
  return answer
}

/** Works even while notes are disabled. Throws NOT_FOUND for anything except the guest's own note. */
export async function removeOwnNote(ctx: GalleryAccessContext, gallery: OpenGallery, noteId: number): Promise<void> {
  const { eventId, guestId } = getGuestCaller(gallery)
  assertRevealed(ctx, gallery)
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const note = await findThread(tx, eventId, noteId)
    if (note?.kind !== 'note' || note.guest_id !== guestId || note.text === null) throw new AppError('NOT_FOUND')
    await withdrawThreads(tx, [noteId])
    await recordNoteChange(tx, { eventId, guestId }, ctx.clock.now())
  })
  ctx.changes.notify('live', eventId)
}

/** Returns nothing for an operator. Throws NOT_FOUND before the reveal. */
export async function loadOwnNotes(ctx: GalleryAccessContext, gallery: OpenGallery, query: OwnNotesQuery) {
  assertRevealed(ctx, gallery)
  const { viewer, event } = gallery
  if (viewer.kind !== 'guest') return { notes: [], pagination: toPagination(query, 0) }
  const { rows, total } = await listOwnNotes(ctx.db, { eventId: event.id, guestId: viewer.guest.guestId }, query)
  return { notes: rows.map(ownNote), pagination: toPagination(query, total) }
}

function assertRevealed({ clock }: GalleryAccessContext, { event, viewer }: OpenGallery): void {
  if (viewer.kind === 'guest' && isBeforeReveal(event, clock.now())) throw new AppError('NOT_FOUND')
}

const recordNoteChange = (tx: Tx, { eventId, guestId }: { eventId: number; guestId: string }, now: number) =>
  recordLiveEvent(tx, { event_id: eventId, type: 'guest', guest_id: guestId, data: { did: 'noted' } }, now)

type OwnNoteRow = Pick<ThreadRow, 'id' | 'photo_id' | 'settled_at' | 'created_at'> & { text: string }

const ownNote = ({ id, photo_id, text, settled_at, created_at }: OwnNoteRow): OwnNote => ({
  id,
  photo_id,
  text,
  is_done: settled_at !== null,
  created_at: isoTime(created_at),
})
