import { type Decision, decisions, type ReviewState } from '../../../contract/gallery/decisions.ts'

export type Judged = {
  version: number
  /** The decisions about the current version and its content. */
  current: readonly Decision[]
  /** Who has not decided yet; null if any guest decides. */
  missing: number | null
}

/** Returns the strictest decision about the current version, once everybody has decided. */
export function judgeReview({ version, current, missing }: Judged): ReviewState {
  if (current.length === 0 && (version === 1 || missing === 0)) return 'unasked'
  if (current.includes('changes_wanted')) return 'changes_wanted'
  if (current.length === 0 || (missing ?? 0) > 0) return 'waiting'
  return decisions.find((decision) => current.includes(decision)) ?? 'waiting'
}

export const isApproved = (state: ReviewState): boolean => state === 'approved' || state === 'approved_with_changes'
