import { expect, test } from 'vitest'
import { layOut, movedBy } from './grid-moves.ts'

const place = { at: 7, count: 23, columns: 5, rowsInSight: 3 }
const moved = (key: string, more = {}, isControl = false) => movedBy(key, isControl, { ...place, ...more })

test('fits as many columns as possible, and at least two on a phone', () => {
  expect(layOut(1000, 176, 23)).toEqual({ columns: 5, cellPx: 192, rows: 5 })
  expect(layOut(360, 400, 3)).toEqual({ columns: 2, cellPx: 175, rows: 2 })
  expect(layOut(1000, 176, 0).rows).toBe(0)
})

test('moves to the neighbors with the arrow keys', () => {
  expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].map((key) => moved(key))).toEqual([8, 6, 12, 2])
  expect(moved('ArrowRight', { isRightToLeft: true })).toBe(6)
})

test('stays within the grid, and moves down to the end of a short last row', () => {
  expect(moved('ArrowUp', { at: 3 })).toBe(3)
  expect(moved('ArrowDown', { at: 19 })).toBe(22)
  expect(moved('ArrowDown', { at: 21 })).toBe(21)
  expect(moved('ArrowLeft', { at: 0 })).toBe(0)
  expect(moved('ArrowRight', { at: 22 })).toBe(22)
})

test('moves with Home and End in the row, with Control in the list, and by screens with Page keys', () => {
  expect([moved('Home'), moved('End'), moved('Home', {}, true), moved('End', {}, true)]).toEqual([5, 9, 0, 22])
  expect([moved('PageDown'), moved('PageUp', { at: 17 })]).toEqual([17, 7])
})

test('returns null for other keys and for an empty list', () => {
  expect(moved('a')).toBeNull()
  expect(moved('ArrowRight', { at: 0, count: 0 })).toBeNull()
})
