import type { ChangeCustomerBody } from '../../contract/customers.ts'
import { nameKey } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import { AppError } from '../platform/app-error.ts'
import { flag } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getOwnCustomer } from './customer-ownership.ts'
import { type CustomerRow, findCustomerByEmail } from './customer-rows.ts'

/** A new password or a deactivation ends all sessions. Throws NOT_FOUND, FORBIDDEN and CUSTOMER_EXISTS. */
export async function changeCustomer(
  ctx: PlatformContext,
  caller: AccountCaller,
  id: number,
  { name, email, password, is_active: isActive }: ChangeCustomerBody,
): Promise<CustomerRow> {
  const { db, clock, changes, passwords } = ctx
  await getOwnCustomer(ctx, caller, id)
  const values = {
    ...(name !== undefined && { name: name.trim() }),
    ...(email !== undefined && { email, email_key: nameKey(email) }),
    ...(password !== undefined && { password_hash: await passwords.hash(password) }),
    ...(isActive !== undefined && { is_active: flag(isActive) }),
    updated_at: clock.now(),
  }
  const endsSessions = password !== undefined || isActive === false

  const changed = await inTransaction(db, 'everything', async (tx) => {
    const sameEmail = email === undefined ? undefined : await findCustomerByEmail(tx, email)
    if (sameEmail && sameEmail.id !== id) throw new AppError('CUSTOMER_EXISTS')
    return tx
      .updateTable('customers')
      .set((row) => ({ ...values, ...(endsSessions && { session_version: row('session_version', '+', 1) }) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  })
  changes.notify('customer', id)
  if (!changed) throw new AppError('NOT_FOUND')
  return changed
}
