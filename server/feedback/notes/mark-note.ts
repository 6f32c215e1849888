import type { NoteRecord } from '../../../contract/gallery/notes.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { findNote, loadNoteRecord, setNoteDone } from './note-rows.ts'

/**
 * A note that is already done keeps the time and the account. Throws NOT_FOUND, EVENT_ARCHIVED, or FORBIDDEN if the
 * caller is not an owner of the event.
 */
export async function markNote(
  ctx: AppContext,
  caller: AccountCaller,
  noteId: number,
  isDone: boolean,
): Promise<NoteRecord> {
  const found = await findNote(ctx.db, noteId)
  if (!found) throw new AppError('NOT_FOUND')
  const { id: eventId } = await getOwnedEvent(ctx, caller, found.event_id)
  const record = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    const note = await findNote(tx, noteId)
    if (!note) throw new AppError('NOT_FOUND')
    if ((note.done_at !== null) !== isDone) {
      const done = isDone ? { done_at: ctx.clock.now(), done_by: caller.user.id } : { done_at: null, done_by: null }
      await setNoteDone(tx, noteId, done)
    }
    return loadNoteRecord(tx, note)
  })
  if (!record) throw new AppError('NOT_FOUND')
  return record
}
