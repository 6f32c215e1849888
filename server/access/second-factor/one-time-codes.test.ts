import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { createSecret, findTimeStep, otpauthUrl } from './one-time-codes.ts'

const secret = Secret.fromLatin1('12345678901234567890').base32

/** Test values of RFC 6238, appendix B: seconds, and the last six digits of the code. */
const published: Array<[number, string]> = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

test('a code is that of RFC 6238', () => {
  for (const [time, code] of published) expect(findTimeStep(secret, code, time * 1000)).toBe(Math.floor(time / 30))
})

test('a code has six digits, and is valid in its own step and one step before and after it', () => {
  const start = 1_234_567_890_000
  for (const offset of [0, 59_999, -30_000]) expect(findTimeStep(secret, '005924', start + offset)).toBe(start / 30_000)
  for (const offset of [60_000, -30_001]) expect(findTimeStep(secret, '005924', start + offset)).toBeNull()
  for (const code of ['', '5924', '05924', '0005924', '00592４', ' 005924', '-05924', 'abcdef']) {
    expect(findTimeStep(secret, code, start), code).toBeNull()
  }
})

test('secrets are 160 random bits', () => {
  const secrets = Array.from({ length: 20 }, createSecret)
  expect(new Set(secrets).size).toBe(20)
  for (const one of secrets) expect(Secret.fromBase32(one).bytes).toHaveLength(20)
})

test('the URL has all data for an authenticator', () => {
  const url = new URL(otpauthUrl(secret, 'ana@photos.example:8443'))
  expect(decodeURIComponent(url.pathname)).toBe('/Proofroom:ana@photos.example:8443')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Proofroom',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
