import fastify, { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
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

test('a write with the cookie of an admin is accepted from own pages, from a person and from programs', async () => {
  const accepted: Headers[] = [
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.example' },
    { 'sec-fetch-site': 'none' },
    { origin: `https://${own}` },
    // A proxy ends TLS.
    { origin: `http://${own}` },
    // No browser sends this.
    {},
  ]
  for (const headers of accepted) expect(await mayCome(headers), JSON.stringify(headers)).toBe(true)
})

test('a write with the cookie of an admin is rejected from all other pages', async () => {
  const rejected: Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'cross-site', origin: `https://${own}` },
    { origin: 'https://evil.example' },
    { origin: 'https://photos.example.com' },
    { origin: `https://evil-${own}` },
    { origin: 'https://photos.example.com.evil.example:8443' },
    { origin: 'null' },
    { origin: own },
    { origin: '' },
  ]
  for (const headers of rejected) expect(await mayCome(headers), JSON.stringify(headers)).toBe(false)
})

test('the method decides whether a request is a write', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) expect(await mayCome(headers, method)).toBe(false)
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) expect(await mayCome(headers, method)).toBe(true)
})

test('a write from the public address is accepted, whatever host the proxy sends', async () => {
  const origin = { origin: 'https://gallery.example.com' }
  expect(await mayCome(origin, 'POST', 'https://gallery.example.com')).toBe(true)
  expect(await mayCome(origin, 'POST', 'https://other.example.com')).toBe(false)
})

test('a request is from another site if the browser says so', () => {
  const isElsewhere = (site?: string) => isCrossSite({ headers: { 'sec-fetch-site': site } } as FastifyRequest)
  for (const site of ['cross-site', 'same-site']) expect(isElsewhere(site)).toBe(true)
  for (const site of ['same-origin', 'none', undefined]) expect(isElsewhere(site)).toBe(false)
})
