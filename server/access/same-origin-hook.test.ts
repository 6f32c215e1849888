import fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { sendProblem } from '../platform/http/problem-responses.ts'
import { assertCookieWrite, isCrossSite } from './same-origin-hook.ts'

const own = 'photos.example.com:8443'

type Headers = Record<string, string>

async function mayCome(
  headers: Headers,
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' = 'POST',
  publicUrl: string | null = null,
) {
  const app = fastify()
  app.setErrorHandler(sendProblem)
  app.route({
    method: ['GET', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/',
    handler: async (request) => {
      assertCookieWrite(request, publicUrl)
      return 'in'
    },
  })
  const answer = await app.inject({ method, url: '/', headers: { host: own, ...headers } })
  if (answer.statusCode === 403) expect(answer.json()).toMatchObject({ code: 'CROSS_ORIGIN' })
  return answer.statusCode === 200
}

describe('a write with the cookie of an admin', () => {
  test.each<[string, Headers]>([
    ['of our own page', { 'sec-fetch-site': 'same-origin' }],
    ['that a person made by hand', { 'sec-fetch-site': 'none' }],
    ['from our own origin', { origin: `https://${own}` }],
    ['from our own origin behind a proxy that ends TLS', { origin: `http://${own}` }],
    ['that no browser made', {}],
  ])('%s is accepted', async (_name, headers) => {
    expect(await mayCome(headers)).toBe(true)
  })

  test.each<[string, Headers]>([
    ['of a page of somebody else', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour on the same domain', { 'sec-fetch-site': 'same-site' }],
    ['whose browser says cross-site beside our origin', { 'sec-fetch-site': 'cross-site', origin: `https://${own}` }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from our host on another port', { origin: 'https://photos.example.com' }],
    ['from a name that ends like ours', { origin: `https://evil-${own}` }],
    ['from a page without origin', { origin: 'null' }],
    ['from something that is no origin', { origin: own }],
    ['from an empty origin', { origin: '' }],
  ])('%s is rejected', async (_name, headers) => {
    expect(await mayCome(headers)).toBe(false)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('by %s is checked', async (method) => {
    expect(await mayCome({ 'sec-fetch-site': 'cross-site' }, method)).toBe(false)
  })

  test('from the public address is accepted, whatever host the proxy sends', async () => {
    const origin = { origin: 'https://gallery.example.com' }
    expect(await mayCome(origin, 'POST', 'https://gallery.example.com')).toBe(true)
    expect(await mayCome(origin, 'POST', 'https://other.example.com')).toBe(false)
  })
})

test.each(['GET', 'HEAD', 'OPTIONS'] as const)('%s changes nothing and is accepted from any site', async (method) => {
  expect(await mayCome({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, method)).toBe(true)
})

test.each([
  ['cross-site', true],
  ['same-site', true],
  ['same-origin', false],
  ['none', false],
  [undefined, false],
])('a request with the site %s is from another site: %o', (site, isElsewhere) => {
  expect(isCrossSite({ headers: { 'sec-fetch-site': site } } as FastifyRequest)).toBe(isElsewhere)
})
