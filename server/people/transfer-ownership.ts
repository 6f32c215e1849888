import { findUser } from '../access/account-rows.ts'
import { lockAccounts } from '../access/change-account.ts'
import { transferEvents } from '../events/event-ownership.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getUser } from './user-rules.ts'

type AccountPair = { fromId: number; toId: number }

/** Transfers what another module stores for an account. Returns the number of rows. */
export type OwnershipTransfer = (ctx: PlatformContext, tx: Tx, pair: AccountPair) => Promise<number>

/**
 * Transfers events and customers of a deactivated account to an active one. Throws NOT_FOUND, INVALID_STATE or
 * VALIDATION_ERROR.
 */
export async function transferOwnership(
  ctx: PlatformContext,
  { fromId, toId }: AccountPair,
  transferCustomers: OwnershipTransfer,
): Promise<{ events: number; customers: number }> {
  const { db, changes } = ctx
  const counts = await inTransaction(db, 'everything', async (tx) => {
    await lockAccounts(tx)
    const from = await getUser(tx, fromId)
    if (from.is_active === 1) {
      throw new AppError('INVALID_STATE', {
        text: 'The account is active. Deactivate it before you transfer its events.',
      })
    }
    const to = await findUser(tx, toId)
    if (to?.is_active !== 1) throw invalidField('to_user_id', 'must be an active account')
    const events = await transferEvents(ctx, tx, { fromId, toId })
    return { events, customers: await transferCustomers(ctx, tx, { fromId, toId }) }
  })
  changes.notify('event', null)
  changes.notify('customer', null)
  return counts
}
