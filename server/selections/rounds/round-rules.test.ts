import { expect, test } from 'vitest'
import type { AppError } from '../../platform/errors/app-error.ts'
import { assertNumbers, assertSubmittable, assertTimeZone, changeNumbers, countExtras } from './round-rules.ts'

const round = { state: 'open' as const, revision: 4, included: 3, minimum: 2, maximum: 4, due_on: null }

const codeOf = (work: () => void) => {
  try {
    work()
  } catch (error) {
    return (error as AppError).code
  }
  return null
}
const submit = (change: object) => codeOf(() => assertSubmittable({ round, count: 3, revision: 4, ...change }))

test('refusals of a submission have an order: locked, changed, too small, too many', () => {
  const locked = { ...round, state: 'locked' as const }
  expect(submit({ round: locked, count: 9, revision: 1 })).toBe('SELECTION_LOCKED')
  expect(submit({ round: { ...round, state: 'submitted' } })).toBe('SELECTION_LOCKED')
  expect(submit({ count: 1, revision: 3 })).toBe('SELECTION_CHANGED')
  expect(submit({ count: 1, revision: 5 })).toBe('SELECTION_CHANGED')
  expect(submit({ count: 1 })).toBe('SELECTION_TOO_SMALL')
  expect(submit({ count: 5 })).toBe('SELECTION_LIMIT_REACHED')
  expect([submit({ count: 2 }), submit({ count: 4 }), submit({ round: { ...round, state: 'reopened' } })]).toEqual(
    Array(3).fill(null),
  )
  expect(submit({ revision: undefined })).toBeNull()
  expect(submit({ count: 900, round: { ...round, maximum: null } })).toBeNull()
})

test('a lower maximum also lowers the minimum; nothing else changes by itself', () => {
  const before = { included: 30, minimum: 30, maximum: 30, due_on: '2027-05-12' }
  expect(changeNumbers(before, { maximum: 20 })).toEqual({ ...before, minimum: 20, maximum: 20 })
  expect(changeNumbers(before, {})).toEqual(before)
  expect(changeNumbers(before, { maximum: null, due_on: null, included: 5 })).toEqual({
    included: 5,
    minimum: 30,
    maximum: null,
    due_on: null,
  })
  expect(changeNumbers(before, { maximum: 20, minimum: 10 }).minimum).toBe(10)
})

test('extras are what is beyond the package; impossible numbers, days and time zones are refused', () => {
  expect([0, 3, 5].map((count) => countExtras(count, round))).toEqual([0, 0, 2])
  expect(codeOf(() => assertNumbers({ ...round, minimum: 5 }))).toBe('VALIDATION_ERROR')
  expect(codeOf(() => assertNumbers({ ...round, due_on: '2027-02-30' }))).toBe('VALIDATION_ERROR')
  expect(codeOf(() => assertNumbers({ ...round, due_on: '2027-02-28', maximum: null }))).toBeNull()
  expect([codeOf(() => assertTimeZone('Europe/Berlin')), codeOf(() => assertTimeZone('Moon/Base'))]).toEqual([
    null,
    'VALIDATION_ERROR',
  ])
})
