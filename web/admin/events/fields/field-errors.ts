import { ApiError } from '../../../shared/api-error.ts'
import { translator } from '../../app/language.ts'
import { findFieldMessage, findServerFieldMessage } from '../../components/error-messages.ts'

const t = translator('events')

/** Messages for fields that can be invalid in only one way. Other fields show the validation error of the API. */
const messageKeys = {
  event_name: 'wrongName',
  event_type: 'wrongType',
  customer_email: 'wrongEmail',
  admin_email: 'wrongEmail',
  password: 'wrongPassword',
  expires_at: 'wrongExpiry',
  expiration_days: 'wrongExpiry',
  event_date: 'wrongDate',
  upload_category_id: 'wrongUploadCategory',
  download_max_px: 'wrongMaxPx',
} as const

const hasOwnMessage = (path: string): path is keyof typeof messageKeys => Object.hasOwn(messageKeys, path)

export function findFieldError(error: unknown, path: string): string | null {
  const message = findServerFieldMessage(error, path)
  if (message === null) return null
  if (message.endsWith('is required')) return t('wrongMissing')
  return hasOwnMessage(path) ? t(messageKeys[path]) : findFieldMessage(error, path)
}

export const rejectedPaths = (error: unknown): string[] =>
  error instanceof ApiError ? error.details.map(({ path }) => path.replace(/^\//, '')) : []
