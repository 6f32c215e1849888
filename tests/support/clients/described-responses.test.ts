import { expect, test } from 'vitest'
import { createResponseValidator } from './described-responses.ts'

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const json = { content: { 'application/json': { schema } } }
const check = createResponseValidator({
  paths: {
    '/api/v1/events/{id}': {
      get: {
        responses: {
          200: { ...json, headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } } },
          404: { content: { 'application/json': { schema: {}, examples: { NOT_FOUND: {} } } } },
        },
      },
    },
    '/api/v1/events/newest': { get: { responses: { 200: { content: { 'image/*': { schema: {} } } } } } },
  },
  components: { headers: { 'X-Request-Id': { required: true } } },
})

type TestReply = { status?: number; type?: string; headers?: Record<string, string>; body?: unknown }

function findMismatch(method: string, path: string, { status = 200, type = 'application/json', ...reply }: TestReply) {
  const { headers = { 'x-request-id': '1' }, body = { id: 1 } } = reply
  const bytes = Buffer.from(method === 'HEAD' ? '' : JSON.stringify(body))
  return check(method, path, { status, headers: new Headers({ 'content-type': type, ...headers }), body, bytes })
}

test.each([
  ['the answer that is described', 'GET', '/api/v1/events/1?a=b', {}],
  ['its headers alone', 'HEAD', '/api/v1/events/1', {}],
  ['a code that is named', 'GET', '/api/v1/events/1', { status: 404, body: { code: 'NOT_FOUND' } }],
  ['a range of types', 'GET', '/api/v1/events/newest', { type: 'image/png' }],
  ['a path that is none', 'GET', '/api/v1/nothing', { status: 404 }],
  ['a method that is none', 'PUT', '/api/v1/events/1', { status: 405 }],
  ['a GET without a HEAD', 'HEAD', '/api/v1/events/1', { status: 405 }],
])('%s is accepted', (_what, method, path, reply) => {
  expect(findMismatch(method, path, reply)).toBeNull()
})

test.each([
  ['another call', 'PUT', '/api/v1/events/1', {}, 'the call'],
  ['another status', 'GET', '/api/v1/events/1', { status: 201 }, 'the status'],
  ['a missing header', 'GET', '/api/v1/events/1', { headers: {} }, 'X-Request-Id'],
  ['another type', 'GET', '/api/v1/events/newest', {}, 'application/json'],
  ['another value', 'GET', '/api/v1/events/1', { body: { id: 'one' } }, 'must be integer'],
  ['a missing key', 'GET', '/api/v1/events/1', { body: {} }, 'required'],
  ['an unknown key', 'GET', '/api/v1/events/1', { body: { id: 1, secret: 2 } }, 'additional'],
  ['another code', 'GET', '/api/v1/events/1', { status: 404, body: { code: 'GONE' } }, 'GONE'],
])('%s is reported', (_what, method, path, reply, expectedText) => {
  expect(findMismatch(method, path, reply)).toContain(expectedText)
})
