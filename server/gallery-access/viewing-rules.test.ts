import { expect, test } from 'vitest'
import { catchAppError, catchErrorCode } from '../../tests/support/clients/app-errors.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { ViewedPhoto } from './gallery-state.ts'
import {
  assertGalleryState,
  assertGuestSession,
  assertViewable,
  assertZipAllowed,
  canDownload,
  canDownloadOriginal,
  isBeforeReveal,
  isConverted,
  type PhotoAccess,
  showsFeedback,
  type Viewer,
} from './viewing-rules.ts'

const now = Date.parse('2026-05-04T10:00:00Z')
const later = now + 1

const live = {
  id: 3,
  access_key: 'key',
  is_draft: 0,
  is_archived: 0,
  expires_at: later,
  reveal_at: null,
  allow_downloads: 1,
} as EventRow
const photo = { id: 9, event_id: 3, visibility: 'visible', category_allows_downloads: null } as ViewedPhoto

const guest: Viewer = { kind: 'guest', guest: { eventId: 3, accessKey: 'key', guestId: 'g' } }
const operator: Viewer = { kind: 'operator' }
const accessKinds: PhotoAccess[] = ['thumbnail', 'photo', 'download']

test.each<[string, Partial<EventRow>, string | null]>([
  ['live', {}, null],
  ['a draft', { is_draft: 1 }, 'NOT_FOUND'],
  ['archived', { is_archived: 1 }, 'NOT_FOUND'],
  ['expired', { expires_at: now }, 'GALLERY_EXPIRED'],
  ['archived and expired', { is_archived: 1, expires_at: now }, 'NOT_FOUND'],
  ['a draft and expired', { is_draft: 1, expires_at: now }, 'NOT_FOUND'],
])('gallery state is checked for guests, but not for operators: %s', (_name, change, code) => {
  const event = { ...live, ...change }
  expect(catchErrorCode(() => assertGalleryState(event, false, now))).toBe(code)
  expect(catchErrorCode(() => assertGalleryState(event, true, now))).toBeNull()
})

test.each([
  ['of this gallery', { eventId: 3, accessKey: 'key' }, null],
  ['of another gallery', { eventId: 4, accessKey: 'key' }, 'FORBIDDEN'],
  ['from before the password was changed', { eventId: 3, accessKey: 'old key' }, 'TOKEN_REVOKED'],
])('guest session %s', (_name, session, code) => {
  expect(catchErrorCode(() => assertGuestSession(live, { ...session, guestId: 'g' }))).toBe(code)
})

test('guest session rejects a session of another gallery with the reason', () => {
  const appError = catchAppError(() => assertGuestSession(live, { eventId: 4, accessKey: 'key', guestId: 'g' }))
  expect(appError?.message).toBe('This session belongs to another gallery.')
})

type ExpectedCodes = Record<PhotoAccess, string | null>
const all = (code: string | null): ExpectedCodes => ({ thumbnail: code, photo: code, download: code })
const allBut = (code: string): ExpectedCodes => ({ ...all(null), download: code })

const withoutDownload = { guest: allBut('DOWNLOAD_DISABLED'), operator: all(null) }

type Case = {
  name: string
  event?: Partial<EventRow>
  photo?: Partial<ViewedPhoto>
  guest: ExpectedCodes
  operator: ExpectedCodes
}

const cases: Case[] = [
  { name: 'a visible photo', guest: all(null), operator: all(null) },
  { name: 'a hidden photo', photo: { visibility: 'hidden' }, guest: all('NOT_FOUND'), operator: all(null) },
  { name: 'a photo of another event', photo: { event_id: 4 }, guest: all('NOT_FOUND'), operator: all('NOT_FOUND') },
  { name: 'before the reveal', event: { reveal_at: later }, guest: all('NOT_FOUND'), operator: all(null) },
  { name: 'at the reveal', event: { reveal_at: now }, guest: all(null), operator: all(null) },
  { name: 'downloads switched off', event: { allow_downloads: 0 }, ...withoutDownload },
  { name: 'a category without downloads', photo: { category_allows_downloads: 0 }, ...withoutDownload },
  { name: 'a category with downloads', photo: { category_allows_downloads: 1 }, guest: all(null), operator: all(null) },
  {
    name: 'a category with downloads in an event without',
    event: { allow_downloads: 0 },
    photo: { category_allows_downloads: 1 },
    ...withoutDownload,
  },
  {
    name: 'hidden, with downloads switched off',
    event: { allow_downloads: 0 },
    photo: { visibility: 'hidden' },
    guest: all('NOT_FOUND'),
    operator: all(null),
  },
  { name: 'an archived event', event: { is_archived: 1 }, guest: all(null), operator: allBut('EVENT_ARCHIVED') },
]

test.each(cases)('access to a photo $name', (testCase) => {
  const event = { ...live, ...testCase.event }
  const changedPhoto = { ...photo, ...testCase.photo }
  const codesFor = (viewer: Viewer) =>
    Object.fromEntries(
      accessKinds.map((requestedAccess) => [
        requestedAccess,
        catchErrorCode(() => assertViewable(event, changedPhoto, viewer, requestedAccess, now)),
      ]),
    )
  expect({ guest: codesFor(guest), operator: codesFor(operator) }).toEqual({
    guest: testCase.guest,
    operator: testCase.operator,
  })
})

test('access to a photo rejects a missing photo for every viewer', () => {
  for (const viewer of [guest, operator]) {
    for (const requestedAccess of accessKinds) {
      expect(catchErrorCode(() => assertViewable(live, undefined, viewer, requestedAccess, now))).toBe('NOT_FOUND')
    }
  }
})

test('a gallery is hidden only before its reveal', () => {
  expect([-1, 0, 1].map((by) => isBeforeReveal({ ...live, reveal_at: now }, now + by))).toEqual([true, false, false])
  expect([-1, 0, 1].map((time) => isBeforeReveal(live, time))).toEqual([false, false, false])
})

test.each<[string, Partial<EventRow>, string | null, string | null]>([
  ['of a live gallery', {}, null, null],
  ['before the reveal', { reveal_at: later }, 'NOT_FOUND', null],
  ['at the reveal', { reveal_at: now }, null, null],
  ['with downloads switched off', { allow_downloads: 0 }, 'DOWNLOAD_DISABLED', null],
  ['before the reveal, with downloads switched off', { reveal_at: later, allow_downloads: 0 }, 'NOT_FOUND', null],
  ['of an archived event', { is_archived: 1 }, null, 'EVENT_ARCHIVED'],
])('access to a ZIP %s', (_name, change, guestCode, operatorCode) => {
  const event = { ...live, ...change }
  expect(catchErrorCode(() => assertZipAllowed(event, guest, now))).toBe(guestCode)
  expect(catchErrorCode(() => assertZipAllowed(event, operator, now))).toBe(operatorCode)
})

test.each([
  [0, 0, false],
  [0, 1, false],
  [1, 0, false],
  [1, 1, true],
] as const)('feedback_enabled %i, show_feedback_to_guests %i: guests see feedback: %o', (enabled, shown, isShown) => {
  expect(showsFeedback({ ...live, feedback_enabled: enabled, show_feedback_to_guests: shown })).toBe(isShown)
})

test('lists and downloads agree on whether a download is allowed', () => {
  for (const allow_downloads of [0, 1] as const) {
    for (const category_allows_downloads of [0, 1, null] as const) {
      const event = { ...live, allow_downloads }
      const changedPhoto = { ...photo, category_allows_downloads }
      const code = catchErrorCode(() => assertViewable(event, changedPhoto, guest, 'download', now))
      expect(canDownload(event, changedPhoto)).toBe(code === null)
    }
  }
})

test('guests get an original that is shown as a JPEG only where downloads have neither a watermark nor a size limit', () => {
  const raw = { category_allows_downloads: null, media_type: 'image', still_size_bytes: 5 } as const
  const open = { ...live, allow_raw_downloads: 1, watermark_downloads: 0, download_max_px: null } as EventRow
  expect(canDownloadOriginal(open, raw)).toBe(true)
  const closed: Array<Partial<EventRow>> = [
    { allow_raw_downloads: 0 },
    { watermark_downloads: 1 },
    { download_max_px: 2048 },
    { allow_downloads: 0 },
  ]
  for (const change of closed)
    expect(canDownloadOriginal({ ...open, ...change }, raw), JSON.stringify(change)).toBe(false)
  expect(canDownloadOriginal(open, { ...raw, category_allows_downloads: 0 })).toBe(false)
  expect(canDownloadOriginal(open, { ...raw, still_size_bytes: null })).toBe(false)
  expect(isConverted(raw)).toBe(true)
  expect(isConverted({ media_type: 'image', still_size_bytes: null })).toBe(false)
  expect(isConverted({ media_type: 'video', still_size_bytes: 5 })).toBe(false)
})
