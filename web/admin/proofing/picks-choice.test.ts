import { describe, expect, test } from 'vitest'
import { choiceIn, chosenAmong, exportQueryOf, mostPickedFirst, readPicksSearch, wantedOf } from './picks-choice.ts'

const photos = [
  { id: 1, picked_by: ['ana'] },
  { id: 2, picked_by: ['ana', 'ben'] },
  { id: 3, picked_by: ['ben', 'cleo'] },
  { id: 4, picked_by: ['ana', 'ben', 'cleo'] },
]
const pickers = ['ana', 'ben', 'cleo']
const shown = (search: object) =>
  chosenAmong(photos, wantedOf(choiceIn(readPicksSearch({ ...search }), pickers), pickers)).map(({ id }) => id)

describe('which picks are shown', () => {
  test('all, those of two or more, those of everybody', () => {
    expect(shown({})).toEqual([1, 2, 3, 4])
    expect(shown({ show: 'overlap' })).toEqual([2, 3, 4])
    expect(shown({ show: 'everybody' })).toEqual([4])
  })

  test('those of a guest, of any, of both, of nobody else', () => {
    expect(shown({ by: 'ana' })).toEqual([1, 2, 4])
    expect(shown({ by: 'ana', way: 'only' })).toEqual([1])
    expect(shown({ by: 'ana,cleo' })).toEqual([1, 2, 3, 4])
    expect(shown({ by: 'ana,ben', way: 'all' })).toEqual([2, 4])
    expect(shown({ by: 'ana,ben', way: 'only' })).toEqual([2])
  })

  test('what an address says that is not so is passed over', () => {
    expect(shown({ by: 'nobody', way: 'x', show: 'y' })).toEqual([1, 2, 3, 4])
    expect(readPicksSearch({ by: ['ana'], way: '', other: 'x' })).toEqual({})
  })

  test('an export is asked for the same', () => {
    expect(exportQueryOf(wantedOf(choiceIn({}, pickers), pickers))).toEqual({ min_pickers: 1, pickers: 'any' })
    expect(exportQueryOf(wantedOf(choiceIn({ by: 'ben,ana', way: 'all' }, pickers), pickers))).toEqual({
      picked_by: 'ana,ben',
      pickers: 'all',
    })
    const everybody = wantedOf(choiceIn({ show: 'everybody' }, pickers), pickers)
    expect(exportQueryOf(everybody)).toEqual({ picked_by: 'ana,ben,cleo', pickers: 'all' })
  })
})

test('what most have picked stands first, and the rest stays in its order', () => {
  expect(mostPickedFirst(photos).map(({ id }) => id)).toEqual([4, 2, 3, 1])
})
