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

  test('unknown keys reach a route that allows them, unchanged', async () => {
    const Lenient = Type.Object({ name: Type.String() })
    expect((await send({ name: 'a', more: 1 }, Lenient)).body).toEqual({ name: 'a', more: 1 })
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
