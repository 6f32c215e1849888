import type { CustomerCaller } from '../access/callers.ts'
import { AppError } from '../platform/app-error.ts'
import type { Assignment, CustomerRow } from './customer-rows.ts'

type Account = Pick<CustomerRow, 'is_active' | 'session_version'>

/** Throws INVALID_TOKEN, OWNER_INACTIVE or TOKEN_REVOKED. */
export function validateCustomer<T extends Account>(customer: T | undefined, { version }: CustomerCaller): T {
  if (!customer) throw new AppError('INVALID_TOKEN')
  if (customer.is_active === 0) throw new AppError('OWNER_INACTIVE')
  if (customer.session_version !== version) throw new AppError('TOKEN_REVOKED')
  return customer
}

/** Checks a customer's gallery session at every request. Throws CUSTOMER_ASSIGNMENT_REVOKED or TOKEN_REVOKED. */
export function assertAssignment(assignment: Assignment | undefined, { version }: CustomerCaller): void {
  if (!assignment || assignment.is_active === 0) throw new AppError('CUSTOMER_ASSIGNMENT_REVOKED')
  if (assignment.session_version !== version) throw new AppError('TOKEN_REVOKED')
}
