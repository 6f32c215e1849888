import type { MessageKey } from '../../../locales/catalogs.ts'
import { ApiError, Unreachable } from '../../shared/api-error.ts'
import { t } from '../state/page.ts'

const messageKeys: Record<string, MessageKey<'gallery'>> = {
  RATE_LIMITED: 'tooFast',
  FEEDBACK_DISABLED: 'feedbackOff',
  NOTHING_SELECTED: 'submitNothing',
  COMMENT_LIMIT_REACHED: 'commentsFull',
  THREAD_LIMIT_REACHED: 'threadsFull',
  NOTE_LIMIT_REACHED: 'notesFull',
  GALLERY_EXPIRED: 'expired',
  SELECTION_LOCKED: 'picksLocked',
}

export function errorMessage(error: unknown): string {
  if (error instanceof Unreachable) return t('unreachable')
  if (!(error instanceof ApiError)) return t('failed')
  return t(error.status === 401 ? 'sessionOver' : (messageKeys[error.code] ?? 'failed'))
}
