import { ApiError } from '../api/api-error.ts'
import { sayIn } from '../desk/language.ts'
import { faultAt, wrongAt } from '../parts/error-messages.ts'

const say = sayIn('events')

/** What the service refuses of a field, in words of our own where it may be only one thing. */
const words = {
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

const isNamed = (path: string): path is keyof typeof words => Object.hasOwn(words, path)

/** Why a field of an event was not taken; null where it was. */
export function wrongField(error: unknown, path: string): string | null {
  const message = wrongAt(error, path)
  if (message === null) return null
  if (message.endsWith('is required')) return say('wrongMissing')
  return isNamed(path) ? say(words[path]) : faultAt(error, path)
}

/** Which fields were not taken. */
export const wrongPaths = (error: unknown): string[] =>
  error instanceof ApiError ? error.details.map(({ path }) => path.replace(/^\//, '')) : []
