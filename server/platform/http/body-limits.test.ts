import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { computeBodyLimit, minBodyBytes } from './body-limits.ts'

const ids = Type.Array(Type.Integer(), { maxItems: 10_000 })

test.each([
  ['a few short fields', Type.Object({ name: Type.String({ maxLength: 200 }), isOn: Type.Boolean() }), minBodyBytes],
  ['a list of 10,000 numbers', Type.Object({ ids }), Math.ceil((2 + 5 + 2 + 10_000 * 26 + 2) * 1.25)],
  ['a choice of a list and nothing', Type.Union([ids, Type.Null()]), Math.ceil((10_000 * 26 + 2) * 1.25)],
  ['text of 10,000 characters', Type.String({ maxLength: 10_000 }), Math.ceil(60_002 * 1.25)],
  ['text without a limit', Type.Object({ text: Type.String() }), 2 ** 20],
  ['fields of any name', Type.Record(Type.String(), Type.String({ maxLength: 10 })), 2 ** 20],
])('the limit of %s', (_name, schema, limit) => {
  expect(computeBodyLimit(schema)).toBe(limit)
})
