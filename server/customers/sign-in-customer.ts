import type { Access } from '../access/access.ts'
import { attemptPassword } from '../access/sign-in-attempts.ts'
import { tryPassword } from '../access/sign-in-lock.ts'
import { AppError } from '../platform/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type CustomerRow, findCustomerByEmail } from './customer-rows.ts'

type SignIn = { email: string; password: string; address: string }
type SignedIn = { token: string; customer: CustomerRow }

/** Throws INVALID_CREDENTIALS, RATE_LIMITED or ACCOUNT_LOCKED, also for unknown addresses and in the same time. */
export function signInCustomer(ctx: PlatformContext & { access: Access }, input: SignIn): Promise<SignedIn> {
  const failures = ctx.access.limits.customerFailures(input.address)
  return attemptPassword(ctx.access, failures, () => checkSignIn(ctx, input))
}

async function checkSignIn(
  ctx: PlatformContext & { access: Access },
  { email, password, address }: SignIn,
): Promise<SignedIn> {
  const customer = await findCustomerByEmail(ctx.db, email)
  const hash = customer?.is_active === 1 ? customer.password_hash : null
  // The suffix separates the lock from that of an operator with the same mail address.
  await tryPassword(ctx, {
    account: email,
    address: `${address} customer`,
    isCorrect: () => ctx.passwords.isCorrect(hash, password),
  })
  if (!customer) throw new AppError('INVALID_CREDENTIALS')
  await ctx.db.updateTable('customers').set({ last_login_at: ctx.clock.now() }).where('id', '=', customer.id).execute()
  const token = ctx.access.signCustomerSession({ customerId: customer.id, version: customer.session_version })
  return { token, customer }
}
