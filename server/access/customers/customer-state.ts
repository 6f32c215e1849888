import { StateCache } from '../../platform/background/changes.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import type { CustomerCaller } from '../callers.ts'
import { type Assignment, type CustomerRow, findAssignment, findCustomer } from './customer-rows.ts'

export type CustomerState = ReturnType<typeof createCustomerState>

export function createCustomerState({ db, changes }: PlatformContext) {
  const customers = new StateCache<number, CustomerRow>(changes, { max: 2_000 })
  const assignments = new StateCache<string, Assignment>(changes, { max: 20_000 })
  changes.on('customer', () => {
    customers.drop()
    assignments.drop()
  })
  const key = (customerId: number, eventId: number) => `${customerId} ${eventId}`

  return {
    customer: (id: number): Promise<CustomerRow | undefined> => customers.getOrLoad(id, () => findCustomer(db, id)),

    /** Returns undefined if the assignment is not cached. */
    cachedAssignment: (customerId: number, eventId: number): Assignment | undefined =>
      assignments.get(key(customerId, eventId)),

    assignment: (customerId: number, eventId: number): Promise<Assignment | undefined> =>
      assignments.getOrLoad(key(customerId, eventId), () => findAssignment(db, customerId, eventId)),
  }
}

/** Throws CUSTOMER_ASSIGNMENT_REVOKED, also for a deactivated customer, or TOKEN_REVOKED for an ended session. */
export function assertAssignment(
  assignment: Assignment | undefined,
  { version }: CustomerCaller,
): asserts assignment is Assignment {
  if (!assignment || assignment.is_active === 0) throw new AppError('CUSTOMER_ASSIGNMENT_REVOKED')
  if (assignment.session_version !== version) throw new AppError('TOKEN_REVOKED')
}
