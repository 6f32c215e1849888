import { expect, test } from 'vitest'
import { parseAviTime, parseWrittenTime, selectCaptureTime } from './capture-time.ts'

const toIso = (time: number | null) => time && new Date(time).toISOString()

test.each([
  ['2021-04-10T10:44:00.000000Z', '2021-04-10T10:44:00.000Z'],
  ['2021-04-10 10:44:00', '2021-04-10T10:44:00.000Z'],
  ['2021-04-10T11:43:59+0130', '2021-04-10T11:43:59.000Z'],
  ['2021-99-99T10:44:00Z', null],
  ['yesterday at noon', null],
])('the written time %j is %j', (written, time) => {
  expect(toIso(parseWrittenTime(written))).toBe(time)
})

test.each([
  ['Mon Mar 10 15:04:43 2003\n\0', '2003-03-10T15:04:43.000Z'],
  ['THU OCT  6 16:46:04 2006', '2006-10-06T16:46:04.000Z'],
  ['Mon Foo 10 15:04:43 2003', null],
  ['2003-03-10', null],
])('the time of an AVI %j is %j', (written, time) => {
  expect(toIso(parseAviTime(written))).toBe(time)
})

test('the first plausible time is the capture time', () => {
  const now = Date.parse('2026-01-01')
  const [good, better] = [Date.parse('2022-02-02'), Date.parse('2021-04-10')]
  const [never, unset, future] = [Date.parse('1904-01-01'), 0, Date.parse('2026-01-03')]
  expect(selectCaptureTime([never, better, good], now)).toBe(better)
  expect(selectCaptureTime([null, unset, future, good], now)).toBe(good)
  expect(selectCaptureTime([null, unset, future], now)).toBeNull()
})
