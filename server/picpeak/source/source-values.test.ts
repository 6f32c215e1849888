import { expect, test } from 'vitest'
import { repairName, toDate, toFlag, toJson, toTime, toWhole } from './source-values.ts'

test.each([
  [1795363170236, 1795363170236],
  ['1795363170236', 1795363170236],
  [1795363170, 1795363170000],
  ['2026-11-22 15:59:27', Date.UTC(2026, 10, 22, 15, 59, 27)],
  ['2026-11-22T15:59:26.253Z', Date.UTC(2026, 10, 22, 15, 59, 26, 253)],
  ['2026-11-22 16:59:26.253+01', Date.UTC(2026, 10, 22, 15, 59, 26, 253)],
  ['2026-11-22 16:59:26+0130', Date.UTC(2026, 10, 22, 15, 29, 26)],
  ['2026-11-22', Date.UTC(2026, 10, 22)],
  ['', null],
  [null, null],
  ['soon', null],
  ['2026-13-45 10:00:00', null],
])('the time %j', (value, time) => {
  expect(toTime(value)).toBe(time)
})

test.each([
  ['2026-06-20', '2026-06-20'],
  ['2026-06-20T00:00:00.000Z', '2026-06-20'],
  [Date.UTC(2026, 5, 20), '2026-06-20'],
  ['never', null],
])('the date %j', (value, date) => {
  expect(toDate(value)).toBe(date)
})

test.each([
  [1, 1],
  [0, 0],
  ['t', 1],
  ['f', 0],
  ['true', 1],
  ['false', 0],
  [null, 0],
])('the flag %j', (value, expected) => {
  expect(toFlag(value)).toBe(expected)
})

test('missing flags have a default, wrong numbers and JSON are null', () => {
  expect(toFlag(undefined, true)).toBe(1)
  expect([toWhole('7'), toWhole(7n), toWhole(-1), toWhole('1e999'), toWhole('x')]).toEqual([7, 7, null, null, null])
  expect([toJson('{"a":1}'), toJson('{'), toJson(null)]).toEqual([{ a: 1 }, null, null])
})

test.each([
  ['BlumenstrauÃ\x9f & Ring (1).jpg', 'Blumenstrauß & Ring (1).jpg'],
  ['Blumenstrauß.jpg', 'Blumenstrauß.jpg'],
  ['æ\x96°å¨\x98.jpg', '新娘.jpg'],
  ['新娘 Ã\x9f.jpg', '新娘 Ã\x9f.jpg'],
  ['DSC_1.jpg', 'DSC_1.jpg'],
])('the name %j is %j', (name, repaired) => {
  expect(repairName(name)).toBe(repaired)
})
