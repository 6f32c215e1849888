import type { NoteRecord } from '../../../contract/gallery/notes.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { setSettled } from '../threads/thread-rows.ts'
import { findNote, loadNoteRecord } from './list-notes.ts'

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
    if ((note.settled_at !== null) !== isDone) {
      await setSettled(tx, noteId, isDone ? { at: ctx.clock.now(), by: caller.user.id } : null)
    }
    return loadNoteRecord(tx, note)
  })
  if (!record) throw new AppError('NOT_FOUND')
  return record
}
