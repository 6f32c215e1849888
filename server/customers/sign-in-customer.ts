import type { Access } from '../access/access.ts'
import { attemptPassword } from '../access/sign-in-attempts.ts'
import { tryPassword } from '../access/sign-in-lock.ts'
import type { Backends } from '../platform/backends.ts'
import { Refusal } from '../platform/refusal.ts'
import { type CustomerRow, findCustomerByEmail } from './customer-rows.ts'

type SignIn = { email: string; password: string; address: string }
type SignedIn = { token: string; customer: CustomerRow }

/**
 * Throws INVALID_CREDENTIALS, RATE_LIMITED or ACCOUNT_LOCKED, under the rules of the admins' sign-in; unknown addresses
 * take as long and lock alike (decisions §8).
 */
export function signInCustomer(house: Backends & { access: Access }, input: SignIn): Promise<SignedIn> {
  const failures = house.access.limits.customerFailures(input.address)
  return attemptPassword(house.access, failures, () => checkSignIn(house, input))
}

async function checkSignIn(
  house: Backends & { access: Access },
  { email, password, address }: SignIn,
): Promise<SignedIn> {
  const customer = await findCustomerByEmail(house.db, email)
  const hash = customer?.is_active === 1 ? customer.password_hash : null
  // An operator of the same mail address is another account: the lock of one is not that of the other.
  await tryPassword(house, {
    account: email,
    address: `${address} customer`,
    isRight: () => house.passwords.isRight(hash, password),
  })
  if (!customer) throw new Refusal('INVALID_CREDENTIALS')
  await house.db
    .updateTable('customers')
    .set({ last_login_at: house.clock.now() })
    .where('id', '=', customer.id)
    .execute()
  const token = house.access.signCustomerSession({ customerId: customer.id, version: customer.session_version })
  return { token, customer }
}
