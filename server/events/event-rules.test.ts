import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SettingValues } from '../../contract/settings.ts'
import { catchErrorCode } from '../../tests/support/clients/app-errors.ts'
import { days } from '../platform/time/clock.ts'
import {
  assertNotArchived,
  createAccessKey,
  createShareToken,
  eventPrefix,
  expiryAfter,
  expiryTime,
  expiryWarningMs,
  gallerySessionSeconds,
  initialExpiryWarning,
  isExpired,
  neverExpires,
  slugBase,
} from './event-rules.ts'

test.each([
  ['wedding', 'Ana & Ben', '2026-05-04', 'wedding-ana-and-ben-2026-05-04'],
  ['wedding', 'Zoë Müller', '2026-05-04', 'wedding-zoe-mueller-2026-05-04'],
  ['birthday', 'Анна', '2026-05-04', 'birthday-anna-2026-05-04'],
  ['other', '  --Summer__Party!--  ', '2026-05-04', 'other-summer-party-2026-05-04'],
  ['corporate', 'TechConf 2026', '2026-05-04', 'corporate-techconf-2026-2026-05-04'],
  ['wedding', '💍✨', '2026-05-04', 'wedding-2026-05-04'],
  ['wedding', '../../etc/passwd', '2026-05-04', 'wedding-etc-passwd-2026-05-04'],
])('the slug of an event of the type %s named %j is type, transliterated name and date', (type, name, date, slug) => {
  expect(slugBase(type, name, date)).toBe(slug)
})

test('the slug of an event has at most 60 characters of the name, without a hyphen at their end', () => {
  expect(slugBase('wedding', 'a'.repeat(200), '2026-05-04')).toBe(`wedding-${'a'.repeat(60)}-2026-05-04`)
  expect(slugBase('wedding', `${'a'.repeat(59)} b`, '2026-05-04')).toBe(`wedding-${'a'.repeat(59)}-2026-05-04`)
})

test('the slug of an event ends in six random hex digits if there is no date', () => {
  const slugs = Array.from({ length: 20 }, () => slugBase('wedding', 'Ana', null))
  for (const slug of slugs) expect(slug).toMatch(/^wedding-ana-[0-9a-f]{6}$/)
  expect(new Set(slugs).size).toBeGreaterThan(15)
})

test('the slug of an event is short and safe in a URL, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' }), (name) => {
      const slug = slugBase('wedding', name, '2026-05-04')
      expect(slug).toMatch(/^wedding(-[a-z0-9]+)*-2026-05-04$/)
      expect(slug.length).toBeLessThanOrEqual(80)
    }),
  )
})

test('an event expires at the exact millisecond of its expiry, a number of 24-hour days from now', () => {
  expect([-1, 0, 1].map((by) => isExpired({ expires_at: 1000 }, 1000 + by))).toEqual([false, true, true])
  expect(expiryAfter(1000, 30)).toBe(1000 + days(30))
})

test('an event that never expires has no time of expiry', () => {
  expect(expiryTime({ expires_at: days(1) })).toBe('1970-01-02T00:00:00.000Z')
  expect(expiryTime({ expires_at: neverExpires })).toBe(null)
})

test('guests stay signed in for the days of the event, in seconds', () => {
  expect(gallerySessionSeconds({ guest_session_days: 30 })).toBe(2_592_000)
})

test('only an archived event rejects changes', () => {
  expect(catchErrorCode(() => assertNotArchived({ is_archived: 1 }))).toBe('EVENT_ARCHIVED')
  expect(catchErrorCode(() => assertNotArchived({ is_archived: 0 }))).toBeNull()
})

test('share tokens and access keys are random and safe in a URL', () => {
  const tokens = Array.from({ length: 100 }, createShareToken)
  const keys = Array.from({ length: 100 }, createAccessKey)
  expect(new Set([...tokens, ...keys]).size).toBe(200)
  for (const token of tokens) expect(token).toMatch(/^[\w-]{22,}$/)
  for (const key of keys) expect(key).toMatch(/^[\w-]{16,}$/)
})

test('an expiry within the warning period counts as warned', () => {
  const settings = { mail_warn_of_expiry_days: 3 } as SettingValues
  expect(expiryWarningMs(settings)).toBe(days(3))
  const now = days(20_000)
  const warned = [-1, 0, 1].map((by) => initialExpiryWarning(now + days(3) + by, now, settings))
  expect(warned).toEqual([now + days(3) - 1, now + days(3), null])
})

test('the files of an event are stored under its id', () => {
  expect(eventPrefix(7)).toBe('events/7')
})
