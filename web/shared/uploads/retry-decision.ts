import type { UploadReason } from './upload-file-rules.ts'

/** An error response, or null when no response arrived. `kinds`: the `kind` of each of its details. */
export type UploadProblem = {
  status: number
  code: string
  retryAfterSeconds: number
  kinds?: readonly string[]
} | null

export type RetryDecision =
  /** Retry after `afterMs`. `holdsAll`: all other uploads wait too. */
  | { kind: 'again'; afterMs: number; holdsAll: boolean }
  /** The file itself cannot be accepted. */
  | { kind: 'rejected'; reason: UploadReason }
  /** A later attempt may succeed. `endsAll`: other files would fail too. */
  | { kind: 'failed'; reason: UploadReason; endsAll: boolean }

const maxWaitMs = 30_000
/** The limit of retries after temporary error responses. A lost connection and status 429 are retried without limit. */
const maxAttempts = 8

/** Doubles from 1 second up to 30 seconds. */
const getBackoffMs = (attempt: number): number => Math.min(maxWaitMs, 1000 * 2 ** attempt)

const fileReasons: Record<string, UploadReason> = {
  FILE_TYPE_NOT_ALLOWED: 'type',
  UNSUPPORTED_MEDIA_TYPE: 'type',
  FILE_TOO_LARGE: 'large',
  BODY_TOO_LARGE: 'large',
  UNREADABLE_IMAGE: 'damaged',
}

const uploadFailureReasons: Record<string, UploadReason> = {
  PHOTO_CAP_REACHED: 'full',
  STORAGE_FULL: 'storage',
  UPLOADS_DISABLED: 'off',
  FORBIDDEN: 'closed',
  GALLERY_EXPIRED: 'closed',
  EVENT_ARCHIVED: 'closed',
  NOT_FOUND: 'closed',
  CUSTOMER_ASSIGNMENT_REVOKED: 'closed',
}

/** `attempt` is the number of earlier attempts. */
export function decideRetry(problem: UploadProblem, attempt: number): RetryDecision {
  if (problem === null) return { kind: 'again', afterMs: getBackoffMs(attempt), holdsAll: false }
  const { status, code, retryAfterSeconds, kinds = [] } = problem
  const requestedMs = retryAfterSeconds * 1000
  if (status === 429) return { kind: 'again', afterMs: requestedMs || maxWaitMs, holdsAll: true }
  // The problem code UNREADABLE_IMAGE covers damaged pictures and pictures with too many pixels.
  const fileReason = kinds.includes('too_many_pixels') ? 'pixels' : fileReasons[code]
  if (fileReason) return { kind: 'rejected', reason: fileReason }
  const uploadFailureReason = status === 401 ? 'closed' : uploadFailureReasons[code]
  if (uploadFailureReason) return { kind: 'failed', reason: uploadFailureReason, endsAll: true }
  const isTemporary = status === 408 || status === 409 || (status >= 500 && status !== 507)
  if (isTemporary && attempt < maxAttempts) {
    return { kind: 'again', afterMs: Math.max(requestedMs, getBackoffMs(attempt)), holdsAll: requestedMs > 0 }
  }
  return isTemporary ? { kind: 'failed', reason: 'other', endsAll: false } : { kind: 'rejected', reason: 'other' }
}
