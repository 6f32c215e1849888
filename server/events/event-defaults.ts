import { type EventDefaults, eventSwitches } from '../../contract/events.ts'
import type { SettingValues } from '../../contract/settings.ts'
import { requiredFields } from './event-requirements.ts'

/** The defaults of a new event. */
export const createEventDefaults = (settings: SettingValues): EventDefaults => ({
  required: requiredFields(settings),
  require_password: settings.event_default_require_password,
  expiration_days: settings.general_default_expiration_days,
  is_phone_kept: settings.event_phone_field_enabled,
  welcome_message: settings.event_default_welcome_message,
  photo_cap: settings.event_default_photo_cap,
  default_photo_sort: settings.event_default_photo_sort,
  download_max_px: settings.event_default_download_max_px,
  ...(Object.fromEntries(eventSwitches.map((key) => [key, settings[`event_default_${key}`]])) as Record<
    (typeof eventSwitches)[number],
    boolean
  >),
})
