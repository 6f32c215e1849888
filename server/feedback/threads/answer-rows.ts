import { maxMessagesPerThread } from '../../../contract/gallery/threads.ts'
import { flag, type Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { ThreadMessageRow, ThreadRow } from './thread-rows.ts'

type Answer = { guestId: string | null; userId: number | null; isVisible: boolean; text: string; now: number }

/** Throws THREAD_LIMIT_REACHED. */
export async function addAnswer(
  tx: Tx,
  { id: thread_id, event_id }: ThreadRow,
  { guestId, userId, isVisible, text, now }: Answer,
): Promise<ThreadMessageRow> {
  const { count } = await tx
    .selectFrom('thread_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('thread_id', '=', thread_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxMessagesPerThread) throw new AppError('THREAD_LIMIT_REACHED')
  return tx
    .insertInto('thread_messages')
    .values({
      thread_id,
      event_id,
      guest_id: guestId,
      user_id: userId,
      is_visible: flag(isVisible),
      text,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const hasOperatorAnswer = async (tx: Tx, threadId: number): Promise<boolean> => {
  const answers = tx.selectFrom('thread_messages').select('id').where('thread_id', '=', threadId)
  return (await answers.where('guest_id', 'is', null).limit(1).executeTakeFirst()) !== undefined
}

export const findAnswer = (tx: Tx, threadId: number, id: number): Promise<ThreadMessageRow | undefined> =>
  tx.selectFrom('thread_messages').selectAll().where('id', '=', id).where('thread_id', '=', threadId).executeTakeFirst()

export const deleteAnswer = (tx: Tx, id: number) => tx.deleteFrom('thread_messages').where('id', '=', id).execute()

export const showAnswer = (tx: Tx, id: number, isVisible: boolean) =>
  tx
    .updateTable('thread_messages')
    .set({ is_visible: flag(isVisible) })
    .where('id', '=', id)
    .execute()
