import type { UploadReason } from './upload-file-rules.ts'

/** What an answer was when it was no success; null: there was none. `kinds`: of its faults, where it names some. */
export type UploadProblem = {
  status: number
  code: string
  retryAfterSeconds: number
  kinds?: readonly string[]
} | null

/** What follows from it. */
export type Verdict =
  /** Once more after a while; `holdsAll`: nothing else goes out before. */
  | { kind: 'again'; afterMs: number; holdsAll: boolean }
  /** The file is not taken as it is. */
  | { kind: 'refused'; reason: UploadReason }
  /** It may be taken another time; `endsAll`: the others would hear the same. */
  | { kind: 'failed'; reason: UploadReason; endsAll: boolean }

const maxWaitMs = 30_000
/** So often a service that fails is asked again. A line that is lost is waited for as long as it takes. */
const maxAttempts = 8

/** 1, 2, 4 … 30 seconds. */
const growingWait = (attempt: number): number => Math.min(maxWaitMs, 1000 * 2 ** attempt)

const fileReasons: Record<string, UploadReason> = {
  FILE_TYPE_NOT_ALLOWED: 'type',
  UNSUPPORTED_MEDIA_TYPE: 'type',
  FILE_TOO_LARGE: 'large',
  BODY_TOO_LARGE: 'large',
  UNREADABLE_IMAGE: 'damaged',
}

/** Of the whole event, not of one file. */
const doorReasons: Record<string, UploadReason> = {
  PHOTO_CAP_REACHED: 'full',
  STORAGE_FULL: 'storage',
  UPLOADS_DISABLED: 'off',
  FORBIDDEN: 'closed',
  GALLERY_EXPIRED: 'closed',
  EVENT_ARCHIVED: 'closed',
  NOT_FOUND: 'closed',
  CUSTOMER_ASSIGNMENT_REVOKED: 'closed',
}

/** `attempt` counts from 0 how often this was tried before. */
export function verdictOn(problem: UploadProblem, attempt: number): Verdict {
  if (problem === null) return { kind: 'again', afterMs: growingWait(attempt), holdsAll: false }
  const { status, code, retryAfterSeconds, kinds = [] } = problem
  const wantedMs = retryAfterSeconds * 1000
  if (status === 429) return { kind: 'again', afterMs: wantedMs || maxWaitMs, holdsAll: true }
  // One code stands for both: a picture with too many pixels need not be damaged.
  const fileReason = kinds.includes('too_many_pixels') ? 'pixels' : fileReasons[code]
  if (fileReason) return { kind: 'refused', reason: fileReason }
  const doorReason = status === 401 ? 'closed' : doorReasons[code]
  if (doorReason) return { kind: 'failed', reason: doorReason, endsAll: true }
  const isPassing = status === 408 || status === 409 || (status >= 500 && status !== 507)
  if (isPassing && attempt < maxAttempts) {
    return { kind: 'again', afterMs: Math.max(wantedMs, growingWait(attempt)), holdsAll: wantedMs > 0 }
  }
  return isPassing ? { kind: 'failed', reason: 'other', endsAll: false } : { kind: 'refused', reason: 'other' }
}
