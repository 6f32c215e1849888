import fastify from 'fastify'
import { expect, test } from 'vitest'
import { getRequestOrigin } from './request-origin.ts'

async function originSeen(trustProxy: boolean, headers: Record<string, string>): Promise<string> {
  const app = fastify({ trustProxy })
  app.get('/', async (request) => String(getRequestOrigin(request)))
  return (await app.inject({ url: '/', headers })).body
}

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
