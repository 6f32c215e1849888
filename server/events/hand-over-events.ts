import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/**
 * Makes the events of one account those of another, archived ones included; whoever is a member stays one. Answers how
 * many. After the commit the operation tells `event`: what an owner sees is kept in memory.
 */
export async function handOverEvents(
  { clock }: PlatformContext,
  tx: Tx,
  { fromId, toId }: { fromId: number; toId: number },
): Promise<number> {
  // An owner needs no membership.
  await tx
    .deleteFrom('event_members')
    .where('user_id', '=', toId)
    .where('event_id', 'in', (where) => where.selectFrom('events').select('id').where('created_by', '=', fromId))
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('events')
    .set({ created_by: toId, updated_at: clock.now() })
    .where('created_by', '=', fromId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
