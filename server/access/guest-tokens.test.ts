import { expect, test } from 'vitest'
import { createGuestTokens, guestTokenSeconds } from './guest-tokens.ts'
import { createSessionTokens } from './session-tokens.ts'

const secret = 'a secret of at least thirty-two characters'
let now = Date.parse('2026-05-04T10:00:00Z')
const clock = { now: () => now }
const tokens = createGuestTokens(secret, clock)
const guestId = '3f0c7c2e-52b0-4a7f-9d3c-0a5a3f8a9f11'

test('a token identifies the guest only in its own event', () => {
  const token = tokens.sign({ eventId: 3, guestId })
  expect(tokens.read(token, 3)).toBe(guestId)
  expect(tokens.read(token, 4)).toBeNull()
})

test('a token with any change is invalid', () => {
  const token = tokens.sign({ eventId: 3, guestId })
  for (let index = 0; index < token.length - 1; index++) {
    const other = token[index] === 'a' ? 'b' : 'a'
    expect(tokens.read(token.slice(0, index) + other + token.slice(index + 1), 3)).toBeNull()
  }
  const others = ['', guestId, `${guestId}.9999999999.`, `${token}.`, ` ${token}`, `${token}=`, token.slice(0, -1)]
  for (const forged of others) expect(tokens.read(forged, 3)).toBeNull()
})

test('a token is invalid for an instance with another secret', () => {
  const foreign = createGuestTokens('another secret of thirty-two characters', clock)
  expect(tokens.read(foreign.sign({ eventId: 3, guestId }), 3)).toBeNull()
})

test('a token is valid for a year', () => {
  const token = tokens.sign({ eventId: 3, guestId })
  now += guestTokenSeconds * 1000 - 1000
  expect(tokens.read(token, 3)).toBe(guestId)
  now += 1000
  expect(tokens.read(token, 3)).toBeNull()
})

test('a token is not a session, and a session is not a token', () => {
  const sessions = createSessionTokens(secret, clock)
  const token = tokens.sign({ eventId: 3, guestId })
  expect(() => sessions.read(token, 'gallery')).toThrow('This token is invalid')
  expect(tokens.read(sessions.sign({ type: 'gallery', event: 3, key: 'key', gid: guestId }), 3)).toBeNull()
})
