import { randomBytes } from 'node:crypto'
import type { SettingValues } from '../../contract/settings.ts'
import { AppError } from '../platform/app-error.ts'
import { days } from '../platform/clock.ts'
import { slugOf } from '../platform/slugs.ts'
import type { EventRow } from './event-rows.ts'

/** Expiry is exact. */
export const isExpired = ({ expires_at }: Pick<EventRow, 'expires_at'>, now: number): boolean => expires_at <= now

/** Every change of an archived event is refused, uploads and media downloads included. */
export function assertNotArchived({ is_archived }: Pick<EventRow, 'is_archived'>): void {
  if (is_archived === 1) throw new AppError('EVENT_ARCHIVED')
}

/** `{type}-{name transliterated}-{event_date or 6 hex}`. */
export function slugBase(eventType: string, eventName: string, eventDate: string | null): string {
  const name = slugOf(eventName).slice(0, 60).replace(/-$/, '')
  return [eventType, name, eventDate ?? randomBytes(3).toString('hex')].filter(Boolean).join('-')
}

/** 192 bits, safe in an address. */
export const newShareToken = (): string => randomBytes(24).toString('base64url')

export const newAccessKey = (): string => randomBytes(12).toString('base64url')

export const expiryAfter = (now: number, dayCount: number): number => now + days(dayCount)

/** So long before its expiry an event is warned of; 0: it is not. */
export const warnAheadMs = (settings: SettingValues): number => days(settings.mail_warn_of_expiry_days)

/** What goes live with less time than that is not warned of: the mail of its opening names the day. */
export const warnedForAtOpening = (expiresAt: number, now: number, settings: SettingValues): number | null =>
  expiresAt - now <= warnAheadMs(settings) ? expiresAt : null

/** The storage prefix of everything of all events, and of one. */
export const eventsPrefix = 'events'
export const eventPrefix = (eventId: number): string => `${eventsPrefix}/${eventId}`
