import type { SettingValues } from '../../contract/settings.ts'
import { AppError, invalidField } from '../platform/app-error.ts'
import { isCalendarDate } from '../platform/input-times.ts'

const fields = {
  event_date: 'event_require_event_date',
  customer_name: 'event_require_customer_name',
  customer_email: 'event_require_customer_email',
  admin_email: 'event_require_admin_email',
  expiration_days: 'event_require_expiration',
} as const

/** The fields that the settings require. */
export const requiredFields = (settings: SettingValues): Array<keyof typeof fields> =>
  (Object.keys(fields) as Array<keyof typeof fields>).filter((field) => settings[fields[field]])

export const missingField = (path: string): AppError => missingFields([path])

export const missingFields = (paths: readonly string[]): AppError =>
  new AppError('VALIDATION_ERROR', {
    text: `Required here: ${paths.join(', ')}.`,
    details: paths.map((path) => ({ path, message: `${path} is required`, kind: 'required' })),
  })

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** A form sends an empty field as empty text. */
export const trimmedOrNull = (text: string | null | undefined): string | null => text?.trim() || null

export function assertEventDate(date: string | null | undefined): void {
  if (date && !isCalendarDate(date)) {
    throw invalidField('event_date', 'must be a day written as YYYY-MM-DD', 'not_a_time')
  }
}
