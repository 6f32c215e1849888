import type { SelectionState } from '../../contract/gallery/selections.ts'
import type { AccountCaller } from '../access/callers.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { getChangeableEvent } from '../events/get-changeable-event.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { isoTimeOrNull } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { findSelection, setSelectionDone } from './selection-rows.ts'

/** `eventId`: only a selection of this event is found. */
type SelectionToMark = { id: number; eventId?: number | undefined }

/**
 * A selection that is already done keeps the time and the account. Throws NOT_FOUND, EVENT_ARCHIVED, or FORBIDDEN if
 * the caller is not an owner of the event.
 */
export async function markSelection(
  ctx: AppContext,
  caller: AccountCaller,
  { id: selectionId, eventId: eventInPath }: SelectionToMark,
  isDone: boolean,
): Promise<SelectionState> {
  if (eventInPath !== undefined) await getOwnedEvent(ctx, caller, eventInPath)
  const found = await findSelection(ctx.db, selectionId)
  if (!found || (eventInPath ?? found.event_id) !== found.event_id) throw new AppError('NOT_FOUND')
  const { id: eventId } = await getOwnedEvent(ctx, caller, found.event_id)
  const doneAt = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    const selection = await findSelection(tx, selectionId)
    if (!selection) throw new AppError('NOT_FOUND')
    if ((selection.done_at !== null) === isDone) return selection.done_at
    const done = isDone ? { done_at: ctx.clock.now(), done_by: caller.user.id } : { done_at: null, done_by: null }
    await setSelectionDone(tx, selectionId, done)
    return done.done_at
  })
  return { id: selectionId, event_id: eventId, done_at: isoTimeOrNull(doneAt) }
}
