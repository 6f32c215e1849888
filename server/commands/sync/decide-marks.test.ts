import { expect, test } from 'vitest'
import { decideMarks, type Marks } from './decide-marks.ts'

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
