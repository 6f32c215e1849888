import { expect, test } from 'vitest'
import { getTimeLeft } from './time-left.ts'

test('splits a duration into days, hours, minutes and seconds, rounded up and never negative', () => {
  const ms = ((2 * 24 + 3) * 3_600 + 4 * 60 + 5) * 1_000
  expect(getTimeLeft(ms)).toEqual({ days: 2, hours: 3, minutes: 4, seconds: 5 })
  expect(getTimeLeft(1).seconds).toBe(1)
  expect(getTimeLeft(0).seconds).toBe(0)
  expect(getTimeLeft(-5_000)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 })
})
