import { expect, test } from 'vitest'
import type { MarkBody, WaitingMark } from '../../marks/waiting-mark.ts'
import { chooseSendable, countMissing, findMarkProblem } from './round-rules.ts'

const pick: MarkBody = { feedback_type: 'favorite', set: true }
const unpick: MarkBody = { feedback_type: 'favorite', set: false }
const stars: MarkBody = { feedback_type: 'rating', rating: 3 }
const open = { state: 'open', minimum: 10, maximum: 20 } as const

test('refuses each mark of sent picks, and picks beyond the maximum', () => {
  for (const state of ['submitted', 'locked'] as const) {
    for (const mark of [pick, unpick, stars]) expect(findMarkProblem({ ...open, state }, 5, mark)).toBe('locked')
  }
  expect(findMarkProblem(open, 19, pick)).toBeNull()
  expect(findMarkProblem(open, 20, pick)).toBe('full')
  expect(findMarkProblem(open, 30, unpick)).toBeNull()
  expect(findMarkProblem(open, 20, stars)).toBeNull()
  expect(findMarkProblem(open, 18, pick, 3)).toBe('full')
  expect(findMarkProblem({ ...open, maximum: null }, 500, pick)).toBeNull()
})

test('counts what is missing or too much before the picks can be sent', () => {
  expect([8, 10, 20, 23].map((count) => countMissing(open, count))).toEqual([2, 0, 0, -3])
  expect(countMissing({ ...open, maximum: null }, 500)).toBe(0)
})

test('chooses the marks that fit: removed picks make room, and marks that are no picks always fit', () => {
  const waiting = (photoId: number, body: MarkBody): WaitingMark => {
    return { id: `${photoId}`, slug: 'ana', guestId: 'ana', photoId, body, before: body, at: photoId }
  }
  const marks = [waiting(1, pick), waiting(2, pick), waiting(3, unpick), waiting(4, stars)]
  const choose = (count: number) => chooseSendable(marks, open, count).map(({ photoId }) => photoId)
  expect(choose(20)).toEqual([3, 1, 4])
  expect(choose(10)).toEqual([3, 1, 2, 4])
  expect(choose(25)).toEqual([3, 4])
})
