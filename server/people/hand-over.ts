import { findUser } from '../access/account-rows.ts'
import { holdAccounts } from '../access/change-account.ts'
import { handOverEvents } from '../events/hand-over-events.ts'
import { AppError, invalidField } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getUser } from './user-rules.ts'

type Pair = { fromId: number; toId: number }

/** Hands over what another module keeps of an account, in the same transaction; answers how much. */
export type HandOver = (ctx: PlatformContext, tx: Tx, pair: Pair) => Promise<number>

/**
 * Gives the events and the customers of a deactivated account to another one. Its memberships in events of others are
 * not handed on: whose events they are chooses anew. Throws NOT_FOUND, INVALID_STATE for an account that is active, and
 * VALIDATION_ERROR for nobody who could take them.
 */
export async function handOver(
  ctx: PlatformContext,
  { fromId, toId }: Pair,
  handOverCustomers: HandOver,
): Promise<{ events: number; customers: number }> {
  const { db, changes } = ctx
  const counts = await inTransaction(db, 'everything', async (tx) => {
    await holdAccounts(tx)
    const from = await getUser(tx, fromId)
    if (from.is_active === 1) {
      throw new AppError('INVALID_STATE', {
        text: 'The account is active: deactivate it before its events go to another.',
      })
    }
    const to = await findUser(tx, toId)
    if (to?.is_active !== 1) throw invalidField('to_user_id', 'must be an active account')
    const events = await handOverEvents(ctx, tx, { fromId, toId })
    return { events, customers: await handOverCustomers(ctx, tx, { fromId, toId }) }
  })
  changes.tell('event', null)
  changes.tell('customer', null)
  return counts
}
