import fastify from 'fastify'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { computeBodyLimit, limitBodiesBySchema, minBodyBytes } from './body-limits.ts'

const ids = Type.Array(Type.Integer(), { maxItems: 10_000 })

test.each([
  ['a few short fields', Type.Object({ name: Type.String({ maxLength: 200 }), isOn: Type.Boolean() }), minBodyBytes],
  ['a list of 10,000 numbers', Type.Object({ ids }), Math.ceil((2 + 5 + 2 + 10_000 * 26 + 2) * 1.25)],
  ['a choice of a list and nothing', Type.Union([ids, Type.Null()]), Math.ceil((10_000 * 26 + 2) * 1.25)],
  ['text of 10,000 characters', Type.String({ maxLength: 10_000 }), Math.ceil(60_002 * 1.25)],
  ['text without a limit', Type.Object({ text: Type.String() }), 2 ** 20],
  ['fields of any name', Type.Record(Type.String(), Type.String({ maxLength: 10 })), 2 ** 20],
])('the limit of %s', (_name, schema, limit) => {
  expect(computeBodyLimit(schema, false)).toBe(limit)
})

test.each([
  ['text', Type.String({ maxLength: 100_000 }), 64 * 2 ** 10],
  ['a list of ids', Type.Union([Type.Object({ ids }), Type.Null()]), 256 * 2 ** 10],
  ['a list of texts', Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10_000 }), 64 * 2 ** 10],
  ['a few short fields', Type.Object({ name: Type.String({ maxLength: 200 }) }), minBodyBytes],
])('the limit of %s on a route for guests', (_name, schema, limit) => {
  expect(computeBodyLimit(schema, true)).toBe(limit)
})

const unbounded: Array<[string, TSchema]> = [
  ['anything', Type.Unknown()],
  ['text', Type.Object({ text: Type.String() })],
  ['text of a pattern', Type.Object({ text: Type.String({ pattern: '^a$' }) })],
  ['a list', Type.Object({ list: Type.Array(Type.Integer()) })],
  ['a list of anything', Type.Object({ list: Type.Array(Type.Unknown(), { maxItems: 5 }) })],
  ['fields of any name', Type.Record(Type.String(), Type.Integer())],
  ['other fields', Type.Object({ id: Type.Integer() }, { additionalProperties: Type.String({ maxLength: 5 }) })],
  ['a choice', Type.Union([Type.Null(), Type.Object({ text: Type.String() })])],
]

test.each(unbounded)('a route for guests without a bound for %s prevents the start', (_name, body) => {
  const app = fastify()
  limitBodiesBySchema(app)
  const add = (permission?: null) =>
    app.post(
      `/${permission}`,
      { schema: { body }, config: permission === null ? { permission } : {} },
      async () => null,
    )
  expect(() => add()).toThrow('POST /undefined is open to guests, and the schema of its body has no bound')
  expect(() => add(null)).not.toThrow()
})
