import { ApiError } from '../state/api.ts'

const temporaryStatuses = [401, 408, 425, 429]

/** Returns whether a selection may be sent again. Also true for a response that is not from the service, which has no code. */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  temporaryStatuses.includes(error.status) ||
  ['INTERNAL_ERROR', 'IDEMPOTENCY_IN_PROGRESS'].includes(error.code)
