import { expect, test } from 'vitest'
import { applyRange, sortAsShown } from './selection-rules.ts'

const shown = [50, 40, 30, 20, 10]

test('selects or deselects a range in either direction and keeps the earlier selection', () => {
  expect([...applyRange(new Set([40, 10]), shown, 40, 20)].sort()).toEqual([10, 20, 30, 40])
  expect([...applyRange(new Set([20]), shown, 20, 50)].sort()).toEqual([20, 30, 40, 50])
  expect([...applyRange(new Set([50, 40, 20, 10]), shown, 30, 10)].sort()).toEqual([40, 50])
  expect([...applyRange(new Set(), shown, null, 30)]).toEqual([30])
  expect([...applyRange(new Set([99]), shown, 99, 30)].sort()).toEqual([30, 99])
})

test('sorts selected photos as shown, with photos not shown at the end', () => {
  expect(sortAsShown(new Set([99, 10, 50, 30]), shown)).toEqual([50, 30, 10, 99])
})
