import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** Returns whether there was one, also an unconfirmed one. Sessions stay valid. */
export function removeSecondFactor({ db }: Pick<PlatformContext, 'db'>, userId: number): Promise<boolean> {
  return inTransaction(db, `account ${userId}`, async (tx) => {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const { numDeletedRows } = await tx
      .deleteFrom('second_factors')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  })
}
