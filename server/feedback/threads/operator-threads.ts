import type { ThreadRecord, ThreadState } from '../../../contract/gallery/threads.ts'
import { must } from '../../../contract/must.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { canReadNotes } from '../../access/roles.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { findGuest } from '../../events/guests/guest-rows.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { parseGuestText } from '../guest-text.ts'
import { requestNotice } from '../notices/notice-rows.ts'
import { addAnswer, deleteAnswer, findAnswer, showAnswer } from './answer-rows.ts'
import { findThreadRecord } from './list-threads.ts'
import { changeState, recordThreadChange } from './thread-changes.ts'
import { findThread, type ThreadRow } from './thread-rows.ts'

/** As in the address of the request. */
type ThreadId = { event_id: number; thread_id: number }

/** Throws NOT_FOUND, FORBIDDEN, EVENT_ARCHIVED, THREAD_LIMIT_REACHED and VALIDATION_ERROR. */
export function answerAsOperator(ctx: AppContext, caller: AccountCaller, id: ThreadId, body: { text: string }) {
  const text = parseGuestText(body.text, 'text', maxNoteLength)
  return changeThread(ctx, caller, id, async (tx, thread, now) => {
    await addAnswer(tx, thread, { guestId: null, userId: caller.user.id, isVisible: true, text, now })
    await recordThreadChange(tx, thread, 'answered', now)
    const guest = await findGuest(tx, thread.event_id, thread.guest_id)
    if (guest?.email) await requestNotice(tx, thread.event_id, guest.id, now)
  })
}

/** A thread that has this state already keeps the time and the account. Throws like `answerAsOperator`. */
export const settleAsOperator = (ctx: AppContext, caller: AccountCaller, id: ThreadId, state: ThreadState) =>
  changeThread(ctx, caller, id, (tx, thread, now) => changeState(tx, thread, state, { by: caller.user.id, now }))

/** An answer of an operator can only be deleted. Throws NOT_FOUND, FORBIDDEN and EVENT_ARCHIVED. */
export const changeAnswer = (
  ctx: AppContext,
  caller: AccountCaller,
  { message_id, ...id }: ThreadId & { message_id: number },
  did: 'approved' | 'hidden' | 'deleted',
) =>
  changeThread(ctx, caller, id, async (tx, thread, now) => {
    const answer = await findAnswer(tx, thread.id, message_id)
    if (!answer || (answer.guest_id === null && did !== 'deleted')) throw new AppError('NOT_FOUND')
    if (did === 'deleted') await deleteAnswer(tx, message_id)
    else await showAnswer(tx, message_id, did === 'approved')
    await recordThreadChange(tx, thread, did, now)
  })

async function changeThread(
  ctx: AppContext,
  caller: AccountCaller,
  { event_id: eventId, thread_id: threadId }: ThreadId,
  change: (tx: Tx, thread: ThreadRow, now: number) => Promise<void>,
): Promise<ThreadRecord> {
  await getOwnedEvent(ctx, caller, eventId)
  const isReadable = canReadNotes(caller)
  const record = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    const thread = await findThread(tx, eventId, threadId)
    if (!thread || !(await findThreadRecord(tx, eventId, threadId, isReadable))) throw new AppError('NOT_FOUND')
    await change(tx, thread, ctx.clock.now())
    return must(await findThreadRecord(tx, eventId, threadId, isReadable), 'the changed thread')
  })
  ctx.changes.notify('live', eventId)
  return record
}
