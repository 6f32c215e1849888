import fastify, { type FastifySchema } from 'fastify'
import { type TObject, Type } from 'typebox'
import { describe, expect, test } from 'vitest'
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

test('for a nullable field, reports only what the value must be otherwise', async () => {
  const { body } = await send({ name: 'a', note: 'too long' })
  expect(body.details).toEqual([
    { path: 'note', message: 'must have at most 5 characters', kind: 'too_long', limit: 5 },
  ])
})

test.each(['0x10', '+5', '1e1', '%205', '0b1', 'Infinity', '1%00', ''])('page=%s is not a number', async (page) => {
  expect(await query(`page=${page}`)).toMatchObject({ status: 400, body: { details: [{ path: 'page' }] } })
})

describe('an invalid body gets the field and what it must be', () => {
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
  ])('%j', async (body, path, message, fault) => {
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('VALIDATION_ERROR')
    expect(answer.body.details[0]).toEqual({ path, message, ...fault })
    expect(answer.body.error).toBe(`${path || 'The body'} ${message}.`)
  })

  test('names all invalid fields', async () => {
    const { body } = await send({ days: 0, style: 'wild' })
    expect(body.details.map(({ path }: { path: string }) => path).sort()).toEqual(['days', 'name', 'style'])
  })

  test('has at most 20 details, whatever is sent', async () => {
    const { body } = await send({ name: 'a', guests: Array.from({ length: 500 }, () => ({})) })
    expect(body.details).toHaveLength(20)
  })

  test('never contains the values that were sent', async () => {
    const { body } = await send({
      name: 'swordfish-swordfish',
      style: 'swordfish',
      note: 'swordfish',
      days: 'swordfish',
    })
    expect(JSON.stringify(body)).not.toContain('swordfish')
  })
})

describe('JSON values are not coerced', () => {
  test.each([
    { name: 5 },
    { name: 'a', days: '5' },
    { name: 'a', isDraft: 'true' },
    { name: 'a', isDraft: 1 },
    { name: null },
  ])('%j is rejected', async (body) => {
    expect((await send(body)).status).toBe(400)
  })

  test('unknown keys of any depth do not reach a route that ignores them', async () => {
    const Lenient = Type.Object({ name: Type.String(), list: Type.Array(Type.Object({ id: Type.Integer() })) })
    const body = { name: 'a', more: { text: 'a\0' }, list: [{ id: 1, more: 1 }], constructor: 1 }
    expect((await send(body, Lenient)).body).toEqual({ name: 'a', list: [{ id: 1 }] })
  })

  test('keys of any name reach a route that allows them', async () => {
    const Named = Type.Object({ texts: Type.Record(Type.String(), Type.String()) })
    expect((await send({ texts: { a: '1', b: '2' } }, Named)).body).toEqual({ texts: { a: '1', b: '2' } })
  })
})

describe('text', () => {
  const Text = Type.Object({ text: Nullable(Type.String({ minLength: 2, maxLength: 40 })) })

  test('reaches the route in NFC', async () => {
    expect((await send({ text: 'Zoe\u0308' }, Text)).body).toEqual({ text: 'Zo\u00eb' })
  })

  test.each([
    ['NUL', 'a\0', 'Text must not contain NUL characters or broken Unicode.'],
    ['a lone surrogate', 'a\ud800', 'Text must not contain NUL characters or broken Unicode.'],
    ['31 marks', `a${'\u0301'.repeat(31)}`, 'Text must not contain more than 30 combining marks in a row.'],
    ['too few characters in NFC', 'e\u0301', 'text must have at least 2 characters.'],
  ])('with %s is 400', async (_name, text, error) => {
    const { status, body } = await send({ text }, Text)
    expect([status, body.error, body.details[0].path]).toEqual([400, error, 'text'])
  })

  test('with 30 marks after each letter is accepted', async () => {
    expect((await send({ text: `q${'\u0301'.repeat(30)}q` }, Text)).status).toBe(200)
  })

  test('of a query with 31 marks is 400', async () => {
    const { status, body } = await query(`other=a${'%CC%81'.repeat(31)}`)
    expect([status, body.details[0].path]).toEqual([400, 'other'])
  })
})

describe('paths and queries are coerced to numbers and booleans', () => {
  test('have the defaults of the schema', async () => {
    expect((await query('draft=true&other=1')).body).toEqual({ page: 1, draft: true, other: '1' })
    expect((await query('page=7')).body).toEqual({ page: 7 })
  })

  test.each(['page=0', 'page=1.5', 'page=one', 'page=', 'draft=maybe'])('with %s are rejected', async (text) => {
    const { status, body } = await query(text)
    expect(status).toBe(400)
    expect(body.details[0].path).toBe(text.split('=')[0])
  })
})
