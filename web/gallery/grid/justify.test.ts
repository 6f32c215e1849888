import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRowsBetween, justify } from './justify.ts'

const space = { width: 1000, rowHeight: 200, gap: 8, slack: 0.22 }
const ratioLists = fc.array(
  fc.integer({ min: 400, max: 4000 }).map((thousandths) => thousandths / 1000),
  { maxLength: 200 },
)
const spaces = fc.record({
  width: fc.integer({ min: 200, max: 3000 }),
  rowHeight: fc.integer({ min: 140, max: 304 }),
  gap: fc.integer({ min: 4, max: 8 }),
  slack: fc.constantFrom(0.22, 0.45),
})

test('rows of tiles take as many tiles as fit at the minimum height and grow to fill the width', () => {
  const { rows, height } = justify([1.5, 1.5, 1.5, 1.5], space)
  // Three need 916 of 1000 pixels; a fourth does not fit.
  const [first, last] = rows
  expect([first?.from, first?.to]).toEqual([0, 3])
  expect(first?.height).toBeCloseTo(200 + 84 / 4.5)
  // The last row stays short because more than 22 % of it would be empty.
  expect([last?.from, last?.to, last?.height]).toEqual([3, 4, 200])
  expect(height).toBeCloseTo((first?.height ?? 0) + 8 + 200)
})

test('rows of tiles break where the gaps leave no space for another tile', () => {
  // Five tiles are 1000 pixels wide, so there is no space for the four gaps of 8 pixels.
  expect(justify([1, 1, 1, 1, 1], space).rows.map(({ from, to }) => [from, to])).toEqual([
    [0, 4],
    [4, 5],
  ])
})

test('rows of tiles leave the last row short only when 22 % of the width and a gap would stay empty', () => {
  // The limit is 228 pixels: 220 and the gap of 8.
  const lastRow = (empty: number) => justify([(1000 - empty) / 200], space).rows[0]?.height
  expect(lastRow(229)).toBe(200)
  expect(lastRow(227)).toBeCloseTo(200 + 227 / (773 / 200))
  expect(justify([1.5, 1.5, 1.5], space).rows[0]?.height).toBeCloseTo(200 + 84 / 4.5)
})

test('rows of tiles begin a new row below the heading of each group', () => {
  const { rows, headingTops, height, getPlace } = justify([1.5, 1.5, 1, 1.5, 1.5, 1.5], space, {
    starts: [0, 2, 3],
    headingHeight: 56,
  })
  expect(headingTops).toEqual([0, 64 + 200 + 8, 272 + 64 + 200 + 8])
  expect(rows.map(({ from, to, top }) => [from, to, top])).toEqual([
    [0, 2, 64],
    [2, 3, 336],
    [3, 6, 608],
  ])
  expect(height).toBeCloseTo(608 + 200 + 84 / 4.5)
  expect(getPlace(2)).toEqual({ left: 0, top: 336, width: 200, height: 200 })
})

test('rows of tiles have a second gap before a heading where the last row is full, as in the flexbox layout', () => {
  const { rows, headingTops } = justify([1.5, 1.5, 1.5, 1], space, { starts: [0, 3], headingHeight: 56 })
  const [full] = rows
  expect(headingTops[1]).toBeCloseTo((full?.top ?? 0) + (full?.height ?? 0) + 16)
})

test('rows of tiles contain a tile wider than the space alone, with less height', () => {
  const { rows, getPlace } = justify([4, 1], { ...space, width: 600 })
  expect(rows[0]).toMatchObject({ from: 0, to: 1, height: 150 })
  expect(getPlace(0)).toMatchObject({ left: 0, width: 600 })
})

test('rows of tiles contain every tile once, fill the width, and follow each other with one gap', () => {
  fc.assert(
    fc.property(ratioLists, spaces, (ratios, space) => {
      const { rows, getPlace } = justify(ratios, space)
      expect(rows.flatMap(({ from, to }) => ratios.slice(from, to))).toEqual(ratios)
      for (const [index, row] of rows.entries()) {
        const right = getPlace(row.to - 1)
        const isLast = index === rows.length - 1
        if (!isLast) expect(right.left + right.width).toBeCloseTo(space.width, 4)
        else expect(right.left + right.width).toBeLessThanOrEqual(space.width + 1e-6)
        const next = rows[index + 1]
        if (next) expect(next.top).toBeCloseTo(row.top + row.height + space.gap, 6)
      }
    }),
  )
})

test('rows of tiles are found for a visible range exactly as when every row is checked', () => {
  fc.assert(
    fc.property(ratioLists, fc.integer({ min: -500, max: 20_000 }), fc.nat(2000), (ratios, top, more) => {
      const layout = justify(ratios, space)
      const { first, end } = findRowsBetween(layout, top, top + more)
      const overlapping = layout.rows.filter((row) => row.top + row.height >= top && row.top <= top + more)
      expect(layout.rows.slice(first, end)).toEqual(overlapping)
    }),
  )
})
