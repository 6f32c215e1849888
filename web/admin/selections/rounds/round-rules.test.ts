import { expect, test } from 'vitest'
import { roundStates } from '../../../../contract/gallery/rounds.ts'
import { describePickCount, isOverdue, listRoundActions, rankRound } from './round-rules.ts'

const reopening = { message: null, asked_at: '2027-05-04T08:00:00.000Z' }
const open = { state: 'open', reopening: null, can_be_reminded: false } as const

test('the first action is the next step of the operator', () => {
  expect(listRoundActions(open)).toEqual([])
  expect(listRoundActions({ ...open, can_be_reminded: true })).toEqual(['remind'])
  expect(listRoundActions({ ...open, state: 'reopened', can_be_reminded: true })).toEqual(['remind'])
  expect(listRoundActions({ ...open, state: 'submitted' })).toEqual(['accept', 'reopen'])
  expect(listRoundActions({ ...open, state: 'submitted', reopening })).toEqual(['reopen', 'accept'])
  expect(listRoundActions({ ...open, state: 'locked', reopening })).toEqual(['reopen'])
})

test('rounds that wait for the operator come first, and guests without picks last', () => {
  const ranked = [
    undefined,
    ...roundStates.map((state) => ({ ...open, state })),
    { ...open, state: 'locked', reopening } as const,
  ]
  const sorted = ranked.toSorted((a, b) => rankRound(a) - rankRound(b))
  // `toSorted` puts undefined last, whatever its rank.
  expect(sorted.map((round) => round && [round.state, round.reopening !== null])).toEqual([
    ['locked', true],
    ['submitted', false],
    ['open', false],
    ['reopened', false],
    ['locked', false],
    undefined,
  ])
  expect(rankRound(undefined)).toBeGreaterThan(rankRound({ ...open, state: 'locked' }))
})

test('only open picks can be too few, too many or overdue', () => {
  const round = {
    state: 'reopened',
    count: 30,
    extra_count: 10,
    minimum: 8,
    maximum: 20,
    due_on: '2027-05-03',
  } as const
  expect(describePickCount(round)).toBe('tooMany')
  expect(describePickCount({ ...round, state: 'submitted' })).toBe('withExtras')
  expect(describePickCount({ ...round, count: 14, extra_count: 0 })).toBe('ofIncluded')
  expect(describePickCount({ ...round, count: 3, extra_count: 0 })).toBe('tooFew')
  expect(describePickCount({ ...round, state: 'locked', count: 3, extra_count: 0 })).toBe('ofIncluded')
  expect([isOverdue(round, '2027-05-04'), isOverdue(round, '2027-05-03')]).toEqual([true, false])
  expect(isOverdue({ ...round, state: 'locked' }, '2027-05-04')).toBe(false)
})
