import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** Returns the number of transferred customers. Their assignments stay. */
export async function transferCustomers(
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
