import fastify from 'fastify'
import { expect, test } from 'vitest'
import { getRequestOrigin, sharePath } from './links.ts'

async function originSeen(trustProxy: boolean, headers: Record<string, string>): Promise<string> {
  const app = fastify({ trustProxy })
  app.get('/', async (request) => String(getRequestOrigin(request)))
  return (await app.inject({ url: '/', headers })).body
}

test('a share path has the slug and the token', () => {
  expect(sharePath({ slug: 'wedding-ana-2026-05-04', share_token: 'abc_-' })).toBe(
    '/gallery/wedding-ana-2026-05-04/abc_-',
  )
})

test('the origin of a request is the one its client used', async () => {
  expect(await originSeen(false, { host: 'photos.example.com:8443' })).toBe('http://photos.example.com:8443')
})

test.each(['ev il"<x>', 'a/b', 'a@b', '['])('an invalid host gives no origin: %j', async (host) => {
  expect(await originSeen(false, { host })).toBe('null')
})

test('only a trusted proxy sets the origin', async () => {
  const headers = { host: 'inside:3000', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'photos.example.com' }
  expect(await originSeen(true, headers)).toBe('https://photos.example.com')
  expect(await originSeen(false, headers)).toBe('http://inside:3000')
})
