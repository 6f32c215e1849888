import { expect, test } from 'vitest'
import { choosePreferred, decideMarks, findFileTime, type Marks } from './decide-marks.ts'

const marks = (rating: number | null, color: Marks['color'] = null): Marks => ({ rating, color })

test.each<[string, Marks | null, Marks, Marks, Partial<Marks>, string[], string[]]>([
  ['a new pick is written', null, marks(null), marks(5, 'green'), { rating: 5, color: 'green' }, [], []],
  ['equal marks need nothing', null, marks(5, 'green'), marks(5, 'green'), {}, [], []],
  ['own stars stay where the client has none', null, marks(3), marks(null), {}, ['rating'], []],
  ['own and other stars without a base are a conflict', null, marks(3), marks(5), { rating: 5 }, [], ['rating']],
  ['a pick that was removed is removed here too', marks(5), marks(5), marks(null), { rating: null }, [], []],
  ['a changed pick is written', marks(3), marks(3), marks(4), { rating: 4 }, [], []],
  ['what only the file has changed stays', marks(3), marks(1), marks(3), {}, ['rating'], []],
  ['what both have changed is a conflict', marks(3), marks(1), marks(4), { rating: 4 }, [], ['rating']],
  ['what both have changed to the same needs nothing', marks(3), marks(4), marks(4), {}, [], []],
  ['stars and colors are apart', marks(3, 'red'), marks(3, 'blue'), marks(4, 'red'), { rating: 4 }, ['color'], []],
  ['a rejected photo is a mark', null, marks(-1), marks(null), {}, ['rating'], []],
])('%s', (_name, base, mine, theirs, write, kept, conflicts) => {
  expect(decideMarks({ base, mine, theirs }, 'client')).toEqual({ write, kept, conflicts })
})

test('with the preference for mine, the file keeps its side of a conflict', () => {
  const sides = { base: marks(3), mine: marks(1), theirs: marks(4) }
  expect(decideMarks(sides, 'mine')).toEqual({ write: {}, kept: ['rating'], conflicts: ['rating'] })
})

test('without a preferred side, what both have changed stays as it is, and other marks are written', () => {
  const sides = { base: marks(3, 'red'), mine: marks(1, 'red'), theirs: marks(4, 'blue') }
  expect(decideMarks(sides, null)).toEqual({ write: { color: 'blue' }, kept: [], conflicts: ['rating'] })
})

test.each([
  ['the time that the program has written', { changedAt: 50, modifiedAt: 90, syncedAt: 40 }, 50],
  ['the time of the file, if the program has written none', { changedAt: null, modifiedAt: 90, syncedAt: 40 }, 90],
  ['the time of the file, if the other is older than the sync', { changedAt: 30, modifiedAt: 90, syncedAt: 40 }, 90],
  ['the time of the program before the first sync', { changedAt: 30, modifiedAt: 90, syncedAt: null }, 30],
  ['unknown, if both are older than the sync', { changedAt: 30, modifiedAt: 40, syncedAt: 40 }, null],
])('the time of a mark in a file is %s', (_name, times, expected) => {
  expect(findFileTime(times)).toBe(expected)
})

test('the newest side is preferred; unknown and equal times prefer none', () => {
  const at = (modifiedAt: number | null, serviceAt: number | null) =>
    choosePreferred('newest', { changedAt: null, modifiedAt, syncedAt: null, serviceAt })
  expect([at(2, 1), at(1, 2), at(1, 1), at(null, 1), at(1, null)]).toEqual(['mine', 'client', null, null, null])
  expect(choosePreferred('mine', { changedAt: null, modifiedAt: 1, syncedAt: null, serviceAt: 2 })).toBe('mine')
})
