import { expect, test } from 'vitest'
import { inShownOrder, withRange } from './selection-rules.ts'

const shown = [50, 40, 30, 20, 10]

test('a range goes from the photo touched last to this one, in either direction, and keeps what was selected before', () => {
  expect([...withRange(new Set([40, 10]), shown, 40, 20)].sort()).toEqual([10, 20, 30, 40])
  expect([...withRange(new Set([20]), shown, 20, 50)].sort()).toEqual([20, 30, 40, 50])
})

test('a range that begins at a photo just deselected deselects', () => {
  expect([...withRange(new Set([50, 40, 20, 10]), shown, 30, 10)].sort()).toEqual([40, 50])
})

test('without a photo to begin at, or with one that is not shown any more, the last one alone is selected', () => {
  expect([...withRange(new Set(), shown, null, 30)]).toEqual([30])
  expect([...withRange(new Set([99]), shown, 99, 30)].sort()).toEqual([30, 99])
})

test('selected photos come in the order shown, and those not shown behind them', () => {
  expect(inShownOrder(new Set([99, 10, 50, 30]), shown)).toEqual([50, 30, 10, 99])
})
