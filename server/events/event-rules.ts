import { randomBytes } from 'node:crypto'
import type { SettingValues } from '../../contract/settings.ts'
import { type ThemePreset, type Typeface, themePresets } from '../../contract/themes.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { createSlug } from '../platform/text/slugs.ts'
import { days, isoTime } from '../platform/time/clock.ts'
import type { EventRow } from './event-rows.ts'

/** `expires_at` of an event that never expires: the latest time that JavaScript can represent. */
export const neverExpires = 8.64e15

/** Returns null for an event that never expires. */
export const expiryTime = ({ expires_at }: Pick<EventRow, 'expires_at'>): string | null =>
  expires_at === neverExpires ? null : isoTime(expires_at)

export const isExpired = ({ expires_at }: Pick<EventRow, 'expires_at'>, now: number): boolean => expires_at <= now

export const gallerySessionSeconds = ({ guest_session_days }: Pick<EventRow, 'guest_session_days'>): number =>
  days(guest_session_days) / 1000

export const getTypeface = ({ typeface, theme_preset }: Pick<EventRow, 'typeface' | 'theme_preset'>): Typeface =>
  typeface ?? themePresets[theme_preset as ThemePreset].typeface

/** Throws EVENT_ARCHIVED. */
export function assertNotArchived({ is_archived }: Pick<EventRow, 'is_archived'>): void {
  if (is_archived === 1) throw new AppError('EVENT_ARCHIVED')
}

/** `{type}-{transliterated name}-{event_date or 6 hex digits}`. */
export function slugBase(eventType: string, eventName: string, eventDate: string | null): string {
  const name = createSlug(eventName).slice(0, 60).replace(/-$/, '')
  return [eventType, name, eventDate ?? randomBytes(3).toString('hex')].filter(Boolean).join('-')
}

/** 192 bits, safe in a URL. */
export const createShareToken = (): string => randomBytes(24).toString('base64url')

export const createAccessKey = (): string => randomBytes(12).toString('base64url')

export const expiryAfter = (now: number, dayCount: number): number => now + days(dayCount)

/** How long before its expiry an event causes a warning mail; 0 for no mail. */
export const expiryWarningMs = (settings: SettingValues): number => days(settings.mail_warn_of_expiry_days)

/**
 * Returns `expiry_warned_for` of an event that goes live. If it expires within the warning period, it counts as warned,
 * because the mail at its publication contains the date.
 */
export const initialExpiryWarning = (expiresAt: number, now: number, settings: SettingValues): number | null =>
  expiresAt - now <= expiryWarningMs(settings) ? expiresAt : null

export const eventsPrefix = 'events'
export const eventPrefix = (eventId: number): string => `${eventsPrefix}/${eventId}`
