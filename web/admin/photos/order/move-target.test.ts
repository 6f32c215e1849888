import { expect, test } from 'vitest'
import { findMoveTarget } from './move-target.ts'

const list = [10, 11, 12, 13]
const find = (insertAt: number, moved: number[], idAt = (index: number): number | null => list[index] ?? null) =>
  findMoveTarget({ insertAt, count: list.length, moved: new Set(moved) }, idAt)

test('puts photos before the next photo that is not moved, and at the end after the last one', () => {
  expect(find(0, [13])).toEqual({ place: 'before', photo_id: 10 })
  expect(find(1, [11, 12])).toEqual({ place: 'before', photo_id: 13 })
  expect(find(4, [10])).toEqual({ place: 'after', photo_id: 13 })
  expect(find(3, [10, 13])).toEqual({ place: 'after', photo_id: 12 })
})

test('finds nothing if all photos are moved, or if a needed photo is not loaded', () => {
  expect(find(2, list)).toBeNull()
  expect(find(2, [10], (index) => (index === 2 ? null : (list[index] ?? null)))).toBeNull()
  expect(find(4, [10], (index) => (index === 3 ? null : (list[index] ?? null)))).toBeNull()
})
