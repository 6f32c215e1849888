import type { CustomerCaller } from '../access/callers.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Assignment, CustomerRow } from './customer-rows.ts'

type Account = Pick<CustomerRow, 'is_active' | 'session_version'>

/** A session ends with the customer, with the account's activity, and with the next password. */
export function judgeCustomer<T extends Account>(customer: T | undefined, { version }: CustomerCaller): T {
  if (!customer) throw new Refusal('INVALID_TOKEN')
  if (customer.is_active === 0) throw new Refusal('OWNER_INACTIVE')
  if (customer.session_version !== version) throw new Refusal('TOKEN_REVOKED')
  return customer
}

/** What a customer's gallery session is worth now; asked at every request (decisions §7). */
export function judgeAssignment(assignment: Assignment | undefined, { version }: CustomerCaller): void {
  if (!assignment || assignment.is_active === 0) throw new Refusal('CUSTOMER_ASSIGNMENT_REVOKED')
  if (assignment.session_version !== version) throw new Refusal('TOKEN_REVOKED')
}
