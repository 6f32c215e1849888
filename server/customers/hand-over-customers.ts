import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** Makes the customers of one account those of another; their assignments stand. Answers how many. */
export async function handOverCustomers(
  { clock }: PlatformContext,
  tx: Tx,
  { fromId, toId }: { fromId: number; toId: number },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({ created_by: toId, updated_at: clock.now() })
    .where('created_by', '=', fromId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
