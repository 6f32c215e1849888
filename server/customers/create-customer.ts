import type { CreateCustomerBody } from '../../contract/customers.ts'
import { nameKey } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { CustomerRow } from './customer-rows.ts'

/** A customer without a password cannot sign in. Throws CUSTOMER_EXISTS. */
export async function createCustomer(
  { db, clock, passwords }: PlatformContext,
  { user }: AccountCaller,
  { name, email, password }: CreateCustomerBody,
): Promise<CustomerRow> {
  const now = clock.now()
  const values = {
    name: name.trim(),
    email,
    email_key: nameKey(email),
    password_hash: password ? await passwords.hash(password) : null,
    is_active: 1 as const,
    session_version: 1,
    created_at: now,
    updated_at: now,
    last_login_at: null,
    created_by: user.id,
  }
  const created = await db
    .insertInto('customers')
    .values(values)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!created) throw new AppError('CUSTOMER_EXISTS')
  return created
}
