import { expect, test } from 'vitest'
import { computeLayout, findMoveTarget } from './grid-layout.ts'

const position = { at: 7, count: 23, columns: 5, visibleRows: 3 }
const moveWith = (key: string, more = {}, isControl = false) => findMoveTarget(key, isControl, { ...position, ...more })

test('fits as many columns as possible, and at least two on a phone', () => {
  expect(computeLayout(1000, 176, 23)).toEqual({ columns: 5, cellPx: 192, rows: 5 })
  expect(computeLayout(360, 400, 3)).toEqual({ columns: 2, cellPx: 175, rows: 2 })
  expect(computeLayout(1000, 176, 0).rows).toBe(0)
})

test('moves to the neighbors with the arrow keys, within the grid, and down to the end of a short last row', () => {
  expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].map((key) => moveWith(key))).toEqual([8, 6, 12, 2])
  expect(moveWith('ArrowRight', { isRightToLeft: true })).toBe(6)
  expect(moveWith('ArrowUp', { at: 3 })).toBe(3)
  expect(moveWith('ArrowDown', { at: 19 })).toBe(22)
  expect(moveWith('ArrowDown', { at: 21 })).toBe(21)
  expect(moveWith('ArrowLeft', { at: 0 })).toBe(0)
  expect(moveWith('ArrowRight', { at: 22 })).toBe(22)
})

test('moves with Home and End in the row, with Control in the list, and by screens with Page keys', () => {
  expect([moveWith('Home'), moveWith('End'), moveWith('Home', {}, true), moveWith('End', {}, true)]).toEqual([
    5, 9, 0, 22,
  ])
  expect([moveWith('PageDown'), moveWith('PageUp', { at: 17 })]).toEqual([17, 7])
})

test('returns null for other keys and for an empty list', () => {
  expect(moveWith('a')).toBeNull()
  expect(moveWith('ArrowRight', { at: 0, count: 0 })).toBeNull()
})
