import { Secret } from 'otpauth'
import { describe, expect, test } from 'vitest'
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

describe('a code', () => {
  test.each(published)('at %i seconds is %s', (time, code) => {
    expect(findTimeStep(secret, code, time * 1000)).toBe(Math.floor(time / 30))
  })

  test('is valid in its own step and one step before and after it', () => {
    const start = 1_234_567_890_000
    const step = start / 30_000
    expect(findTimeStep(secret, '005924', start)).toBe(step)
    expect(findTimeStep(secret, '005924', start + 59_999)).toBe(step)
    expect(findTimeStep(secret, '005924', start - 30_000)).toBe(step)
    expect(findTimeStep(secret, '005924', start + 60_000)).toBeNull()
    expect(findTimeStep(secret, '005924', start - 30_001)).toBeNull()
  })

  test.each(['', '5924', '05924', '0005924', '00592４', ' 005924', '-05924', 'abcdef'])(
    'has exactly six digits: not %j',
    (code) => {
      expect(findTimeStep(secret, code, 1_234_567_890_000)).toBeNull()
    },
  )
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
