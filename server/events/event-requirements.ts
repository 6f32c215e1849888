import { type AppSwitch, appSwitches, mapSwitches } from '../../contract/event-features.ts'
import type { EventDefaults } from '../../contract/events.ts'
import type { SettingValues } from '../../contract/settings.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import { isCalendarDate } from '../platform/time/input-times.ts'

const fields = {
  event_date: 'event_require_event_date',
  customer_name: 'event_require_customer_name',
  customer_email: 'event_require_customer_email',
  admin_email: 'event_require_admin_email',
  expiration_days: 'event_require_expiration',
} as const

export const requiredFields = (settings: SettingValues): Array<keyof typeof fields> =>
  (Object.keys(fields) as Array<keyof typeof fields>).filter((field) => settings[fields[field]])

export const missingFields = (paths: readonly string[]): AppError =>
  new AppError('VALIDATION_ERROR', {
    text: `Required: ${paths.join(', ')}.`,
    details: paths.map((path) => ({ path, message: `${path} is required`, kind: 'required' })),
  })

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** Returns null for a blank text, which a form sends for an empty field. */
export const trimmedOrNull = (text: string | null | undefined): string | null => text?.trim() || null

export function assertEventDate(date: string | null | undefined): void {
  if (date && !isCalendarDate(date)) {
    throw invalidField('event_date', 'must be a date in the form YYYY-MM-DD', 'not_a_time')
  }
}

export const createEventDefaults = (settings: SettingValues): EventDefaults => ({
  required: requiredFields(settings),
  require_password: settings.event_default_require_password,
  expiration_days: settings.general_default_expiration_days,
  is_phone_kept: settings.event_phone_field_enabled,
  welcome_message: settings.event_default_welcome_message,
  photo_cap: settings.event_default_photo_cap,
  download_max_px: settings.event_default_download_max_px,
  package_presets: settings.event_package_presets,
  ...mapSwitches((key) => settings[`event_default_${key}`]),
  ...appDefaults(settings),
})

/** What differs in events that are created in the admin app or by commands. */
export const appDefaults = (settings: SettingValues) => ({
  default_photo_sort: settings.event_app_photo_sort,
  ...(Object.fromEntries(appSwitches.map((key) => [key, settings[`event_app_${key}`]])) as Record<AppSwitch, boolean>),
})
