import type { GalleryTextKey } from '../../../texts/gallery-texts.ts'
import { ApiError, Unreachable } from '../state/api.ts'
import { say } from '../state/page.ts'

const words: Record<string, GalleryTextKey> = {
  RATE_LIMITED: 'tooFast',
  FEEDBACK_DISABLED: 'feedbackOff',
  NOTHING_SELECTED: 'submitNothing',
  COMMENT_LIMIT_REACHED: 'commentsFull',
  GALLERY_EXPIRED: 'expiredTitle',
}

export function wordsFor(error: unknown): string {
  if (error instanceof Unreachable) return say('unreachable')
  if (!(error instanceof ApiError)) return say('failed')
  return say(error.status === 401 ? 'sessionOver' : (words[error.code] ?? 'failed'))
}
