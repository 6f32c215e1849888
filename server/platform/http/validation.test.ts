import fastify, { type FastifySchema } from 'fastify'
import { type TObject, Type } from 'typebox'
import { expect, test } from 'vitest'
import type { FaultKind } from '../../../contract/problems.ts'
import { Nullable, OneOf, Strict } from '../../../contract/shapes.ts'
import { sendProblem } from './problem-responses.ts'
import { compileValidator } from './validation.ts'

const Body = Strict({
  name: Type.String({ minLength: 1, maxLength: 10 }),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  style: Type.Optional(OneOf(['hero', 'minimal'])),
  isDraft: Type.Optional(Type.Boolean()),
  note: Type.Optional(Nullable(Type.String({ maxLength: 5 }))),
  guests: Type.Optional(Type.Array(Type.Object({ email: Type.String({ format: 'email' }) }))),
})

const Query = Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }), draft: Type.Optional(Type.Boolean()) })

function echo(schema: FastifySchema) {
  const app = fastify()
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler(sendProblem)
  app.post('/', { schema }, async ({ body, query }) => body ?? query)
  return app
}

async function send(body: unknown, schema: TObject = Body) {
  const answer = await echo({ body: schema }).inject({ method: 'POST', url: '/', payload: body as object })
  return { status: answer.statusCode, body: answer.json() }
}

async function query(text: string) {
  const answer = await echo({ querystring: Query }).inject({ method: 'POST', url: `/?${text}` })
  return { status: answer.statusCode, body: answer.json() }
}

test.each<[unknown, string, string, { kind?: FaultKind; limit?: number }]>([
  [{}, 'name', 'is required', { kind: 'required' }],
  [{ name: '' }, 'name', 'must not be empty', { kind: 'too_short', limit: 1 }],
  [{ name: 'a', days: 0 }, 'days', 'must be >= 1', { kind: 'too_small', limit: 1 }],
  [{ name: 'a', days: 366 }, 'days', 'must be <= 365', { kind: 'too_large', limit: 365 }],
  [{ name: 'a', days: 1.5 }, 'days', 'must be integer', { kind: 'wrong_type' }],
  [{ name: 'a', style: 'wild' }, 'style', 'must be one of hero, minimal', { kind: 'not_a_choice' }],
  [{ name: 'a', color: 'red' }, 'color', 'is not a known field', { kind: 'unknown_field' }],
  [{ name: 'a', guests: [{ email: 'a@b.example' }, {}] }, 'guests.1.email', 'is required', { kind: 'required' }],
  [
    { name: 'a', guests: [{ email: 'x' }] },
    'guests.0.email',
    'must be an email address',
    { kind: 'not_a_mail_address' },
  ],
  [{ name: 'a', note: 'too long' }, 'note', 'must have at most 5 characters', { kind: 'too_long', limit: 5 }],
  [[], '', 'must be object', { kind: 'wrong_type' }],
])('an invalid body gets the field and what it must be %j', async (body, path, message, fault) => {
  const answer = await send(body)
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe('VALIDATION_ERROR')
  expect(answer.body.details).toEqual([{ path, message, ...fault }])
  expect(answer.body.error).toBe(`${path || 'The body'} ${message}.`)
})

test('an invalid body gets the field and what it must be names all invalid fields, at most 20, but never the values that were sent', async () => {
  const many = await send({ name: 'a', guests: Array.from({ length: 500 }, () => ({})) })
  expect(many.body.details).toHaveLength(20)
  const secret = 'swordfish-swordfish'
  const { body } = await send({ name: secret, style: secret, note: secret, days: secret })
  const paths = body.details.map(({ path }: { path: string }) => path)
  expect(paths.sort()).toEqual(['days', 'name', 'note', 'style'])
  expect(JSON.stringify(body)).not.toContain('swordfish')
})

test('JSON values are not coerced but rejected', async () => {
  const values = [{ name: 5 }, { name: null }, { days: '5' }, { isDraft: 'true' }, { isDraft: 1 }]
  for (const value of values) {
    const { status, body } = await send({ name: 'a', ...value })
    expect([status, body.details[0].path]).toEqual([400, Object.keys(value)[0]])
  }
})

test('JSON values are not coerced unknown keys of any depth do not reach a route that ignores them, but one that allows them', async () => {
  const Lenient = Type.Object({ name: Type.String(), list: Type.Array(Type.Object({ id: Type.Integer() })) })
  const body = { name: 'a', more: { text: 'a\0' }, list: [{ id: 1, more: 1 }], constructor: 1 }
  expect((await send(body, Lenient)).body).toEqual({ name: 'a', list: [{ id: 1 }] })
  const Named = Type.Object({ texts: Type.Record(Type.String(), Type.String()) })
  expect((await send({ texts: { a: '1', b: '2' } }, Named)).body).toEqual({ texts: { a: '1', b: '2' } })
})

const Text = Type.Object({ text: Nullable(Type.String({ minLength: 2, maxLength: 40 })) })

test('text reaches the route in NFC, with up to 30 marks after each letter', async () => {
  expect((await send({ text: 'Zoe\u0308' }, Text)).body).toEqual({ text: 'Zo\u00eb' })
  expect((await send({ text: `q${'\u0301'.repeat(30)}q` }, Text)).status).toBe(200)
  const { status, body } = await query(`other=a${'%CC%81'.repeat(31)}`)
  expect([status, body.details[0].path]).toEqual([400, 'other'])
})

test.each([
  ['NUL', 'a\0', 'Text must not contain NUL characters or broken Unicode.'],
  ['a lone surrogate', 'a\ud800', 'Text must not contain NUL characters or broken Unicode.'],
  ['31 marks', `a${'\u0301'.repeat(31)}`, 'Text must not contain more than 30 combining marks in a row.'],
  ['too few characters in NFC', 'e\u0301', 'text must have at least 2 characters.'],
])('text with %s is 400', async (_name, text, error) => {
  const { status, body } = await send({ text }, Text)
  expect([status, body.error, body.details[0].path]).toEqual([400, error, 'text'])
})

test('paths and queries are coerced to numbers and booleans have the defaults of the schema; but only from their plain form', async () => {
  expect((await query('draft=true&other=1')).body).toEqual({ page: 1, draft: true, other: '1' })
  expect((await query('page=7')).body).toEqual({ page: 7 })
  const others = ['0x10', '+5', '1e1', '%205', '0b1', 'Infinity', '1%00', '', '0', '1.5', 'one']
  for (const text of [...others.map((page) => `page=${page}`), 'draft=maybe'])
    expect(await query(text), text).toMatchObject({ status: 400, body: { details: [{ path: text.split('=')[0] }] } })
})
