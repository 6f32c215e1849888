import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** Members stay. Returns the number of events. After the commit the caller must notify `event`. */
export async function transferEvents(
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
