import type { ChangeCustomerBody, CreateCustomerBody } from '../../../contract/customers.ts'
import type { AccessContext } from '../../access/access.ts'
import { nameKey } from '../../access/account-rows.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { type CustomerRow, findCustomerByEmail } from '../../access/customers/customer-rows.ts'
import { attemptPassword } from '../../access/limits/delay-attempts.ts'
import { customerKey } from '../../access/limits/limit-keys.ts'
import { tryPassword } from '../../access/limits/sign-in-lock.ts'
import { flag, type Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getOwnCustomer } from './customer-ownership.ts'

/** A customer without a password cannot sign in. `record` is called in the transaction. Throws CUSTOMER_EXISTS. */
export async function createCustomer(
  { db, clock, passwords }: PlatformContext,
  { user }: AccountCaller,
  { name, email, password }: CreateCustomerBody,
  record: (tx: Tx, id: number) => Promise<void> = async () => undefined,
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
  return inTransaction(db, 'everything', async (tx) => {
    const created = await tx
      .insertInto('customers')
      .values(values)
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!created) throw new AppError('CUSTOMER_EXISTS')
    await record(tx, created.id)
    return created
  })
}

/** A new password or a deactivation ends all sessions. Throws NOT_FOUND, FORBIDDEN or CUSTOMER_EXISTS. */
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

/** Ends all sessions of the customer; the feedback stays. Throws NOT_FOUND or FORBIDDEN. */
export async function deleteCustomer(ctx: PlatformContext, caller: AccountCaller, id: number): Promise<void> {
  await getOwnCustomer(ctx, caller, id)
  await ctx.db.deleteFrom('customers').where('id', '=', id).execute()
  ctx.changes.notify('customer', id)
}

type SignIn = { email: string; password: string; address: string }
type SignedIn = { token: string; customer: CustomerRow }

/**
 * Throws INVALID_CREDENTIALS, RATE_LIMITED or ACCOUNT_LOCKED. An unknown `email` gets the same errors after the same
 * time.
 */
export function signInCustomer(ctx: AccessContext, { email, password, address }: SignIn): Promise<SignedIn> {
  return attemptPassword(ctx.access, ctx.access.limits.customerFailures(address), async () => {
    const customer = await findCustomerByEmail(ctx.db, email)
    const hash = customer?.is_active === 1 ? customer.password_hash : null
    await tryPassword(ctx, {
      accounts: [customerKey(customer, { email, address }, ctx.access.unknownKey)],
      address,
      isCorrect: () => ctx.passwords.isCorrect(hash, password),
    })
    if (!customer) throw new AppError('INVALID_CREDENTIALS')
    if (ctx.passwords.isForeign(customer.password_hash)) await replaceHash(ctx, customer, password)
    await ctx.db
      .updateTable('customers')
      .set({ last_login_at: ctx.clock.now() })
      .where('id', '=', customer.id)
      .execute()
    const token = ctx.access.signCustomerSession({ customerId: customer.id, version: customer.session_version })
    return { token, customer }
  })
}

/** Sessions stay valid, and a password that is changed at the same time wins. */
async function replaceHash({ db, passwords }: AccessContext, customer: CustomerRow, password: string): Promise<void> {
  await db
    .updateTable('customers')
    .set({ password_hash: await passwords.hash(password) })
    .where('id', '=', customer.id)
    .where('password_hash', '=', customer.password_hash)
    .execute()
}
