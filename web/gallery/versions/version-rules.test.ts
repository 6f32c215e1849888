import { expect, test } from 'vitest'
import { findHeld, isDrawnOn, isPictureOld, isSameShape, type Version } from './version-rules.ts'

const create = (number: number, width: number | null, height: number | null, from_at = '2026-05-01T00:00:00Z') =>
  ({ number, width, height, from_at, note: null, is_current: false }) satisfies Version

const first = create(1, 3000, 2000)
const scaled = create(2, 1501, 1000)
const cropped = create(4, 2000, 2000)
const versions = [first, scaled, cropped]

test('versions have the same shape if their ratios differ by at most 0.5 %', () => {
  expect(isSameShape(first, { width: 1507, height: 1000 })).toBe(true)
  expect(isSameShape(first, { width: 1509, height: 1000 })).toBe(false)
  expect(isSameShape(first, { width: 2000, height: 3000 })).toBe(false)
  expect(isSameShape(first, { width: null, height: 2000 })).toBe(false)
})

test('a mark is drawn on its version and on later ones of the same shape', () => {
  expect([1, 2, 4].map((of) => isDrawnOn(versions, of, scaled))).toEqual([true, true, false])
  expect([1, 2, 4].map((of) => isDrawnOn(versions, of, cropped))).toEqual([false, false, true])
  expect(isDrawnOn(versions, 2, first)).toBe(false)
  // The file of version 3 was deleted, so that its shape is unknown.
  expect(isDrawnOn(versions, 3, cropped)).toBe(false)
})

test('holding shows the version before, and the newest one instead of the oldest', () => {
  expect(findHeld(versions, cropped)).toBe(scaled)
  expect(findHeld(versions, first)).toBe(cropped)
})

test('a picture is old if a version came after the page was opened', () => {
  const openedAt = Date.parse('2026-05-01T00:00:00Z')
  expect(isPictureOld(create(3, 3, 2), 2, openedAt)).toBe(true)
  expect(isPictureOld(scaled, 2, openedAt)).toBe(false)
  expect(isPictureOld(create(2, 3, 2, '2026-05-01T00:01:00Z'), undefined, openedAt)).toBe(true)
  expect(isPictureOld(create(2, 3, 2, '2026-04-30T00:00:00Z'), undefined, openedAt)).toBe(false)
  expect(isPictureOld(create(1, 3, 2, '2026-05-01T00:01:00Z'), undefined, openedAt)).toBe(false)
})
