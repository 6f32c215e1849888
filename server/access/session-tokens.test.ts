import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { catchErrorCode } from '../../tests/support/clients/app-errors.ts'
import { createMovableClock } from '../../tests/support/service/test-service.ts'
import { hours } from '../platform/time/clock.ts'
import { createSessionTokens, refreshSeconds, type SessionType, sessionSeconds, tokenDigest } from './session-tokens.ts'

const secret = 'a secret of more than thirty-two characters'
const admin = { type: 'admin', sub: '7', ver: 1 } as const
const gallery = { type: 'gallery', event: 3, key: 'key', gid: 'guest' } as const
const refresh = { type: 'refresh', sub: '7', ver: 1, fam: 'family', seq: 1 } as const
const signable = {
  admin,
  gallery,
  customer: { type: 'customer', sub: '7', ver: 1 },
  mfa: { type: 'mfa', sub: '7', ver: 1, fac: 1 },
} as const
const types: SessionType[] = ['admin', 'gallery', 'customer', 'refresh', 'mfa']

function tokensForTest() {
  const clock = createMovableClock()
  return { clock, tokens: createSessionTokens(secret, clock) }
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function forged(header: object, claims: object, key = secret, hash = 'sha256'): string {
  const signed = `${base64(header)}.${base64(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** The last character of a signature has two unused bits, so several texts encode the same signature. */
function otherEncodingsOfSignature(token: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const bits = alphabet.indexOf(token.at(-1) ?? '') & 0b111100
  return [0, 1, 2, 3].map((unused) => token.slice(0, -1) + alphabet[bits + unused])
}

describe('a session token', () => {
  test('returns its claims and its expiry', () => {
    const { clock, tokens } = tokensForTest()
    const claims = tokens.read(tokens.sign(gallery), 'gallery')
    expect(claims).toMatchObject(gallery)
    expect(claims.exp).toBe(claims.iat + sessionSeconds)
    expect(Math.abs(claims.iat * 1000 - clock.now())).toBeLessThan(2000)
  })

  test('is unique, so that a revocation ends only one session', () => {
    const { tokens } = tokensForTest()
    expect(tokens.sign(admin)).not.toBe(tokens.sign(admin))
  })

  test('of one type is not accepted as another', () => {
    const { tokens } = tokensForTest()
    for (const is of types) {
      const token = is === 'refresh' ? tokens.signRefresh(refresh, 0) : tokens.sign(signable[is])
      const codes = types.map((wanted) => catchErrorCode(() => tokens.read(token, wanted)))
      expect(codes, is).toEqual(types.map((wanted) => (wanted === is ? null : 'INVALID_TOKEN')))
      expect(tokens.typeOf(token)).toBe(is)
    }
  })

  test('of the type refresh depends only on its claims and time', () => {
    const { tokens } = tokensForTest()
    const token = tokens.signRefresh(refresh, 1_700_000_000_999)
    expect(tokens.signRefresh(refresh, 1_700_000_000_999)).toBe(token)
    expect(tokens.signRefresh({ ...refresh, seq: 2 }, 1_700_000_000_999)).not.toBe(token)
    expect(tokens.signRefresh({ ...refresh, fam: 'other' }, 1_700_000_000_999)).not.toBe(token)
    const times = { iat: 1_700_000_000, exp: 1_700_000_000 + refreshSeconds }
    expect(tokens.read(token, 'refresh')).toEqual({ ...refresh, ...times })
  })

  test('expires after exactly 24 hours', () => {
    const signedAt = Date.parse('2026-05-04T10:00:00Z')
    let now = signedAt
    const tokens = createSessionTokens(secret, { now: () => now })
    const claims = tokens.read(tokens.sign(admin), 'admin')
    now = signedAt + hours(24) - 1
    expect(catchErrorCode(() => tokens.assertNotExpired(claims))).toBeNull()
    now = signedAt + hours(24)
    expect(catchErrorCode(() => tokens.assertNotExpired(claims))).toBe('TOKEN_EXPIRED')
  })

  test('without an expiry never expires', () => {
    const { clock, tokens } = tokensForTest()
    const token = forged({ alg: 'HS256', typ: 'JWT' }, { ...admin, iat: 1 })
    const claims = tokens.read(token, 'admin')
    clock.advance(hours(24 * 365 * 50))
    expect(catchErrorCode(() => tokens.assertNotExpired(claims))).toBeNull()
  })
})

test('what this instance has not signed is rejected', () => {
  const { tokens } = tokensForTest()
  const claims = { ...admin, iat: 1, exp: 4e9 }
  const [header, , signature] = tokens.sign(admin).split('.')
  const rejected = {
    'no token': '',
    'a word': 'token',
    dots: '..',
    'a token of another secret': forged({ alg: 'HS256' }, claims, 'another secret of thirty-two characters'),
    'a token of another algorithm': forged({ alg: 'HS512' }, claims, secret, 'sha512'),
    'an unsigned token': `${base64({ alg: 'none' })}.${base64(claims)}.`,
    'a token that names no algorithm': forged({}, claims),
    'a token of an unknown type': forged({ alg: 'HS256' }, { ...claims, type: 'root' }),
    'a token of no type': forged({ alg: 'HS256' }, { ...claims, type: undefined }),
    'other claims under a signature': [header, base64({ ...claims, sub: '1' }), signature].join('.'),
  }
  for (const [name, token] of Object.entries(rejected)) {
    const code = catchErrorCode(() => tokens.read(token, 'admin'))
    expect(code, name).toBe('INVALID_TOKEN')
  }
  for (const text of ['', 'token', '..', 'a.b.c', `${base64({})}.${base64(null)}.x`]) {
    expect(tokens.typeOf(text) ?? null, text).toBeNull()
  }
})

test('a revoked token stays revoked with another encoding of its signature', () => {
  const { tokens } = tokensForTest()
  const token = tokens.sign(admin)
  const variants = otherEncodingsOfSignature(token)
  expect(variants).toContain(token)
  expect(variants.map((variant) => catchErrorCode(() => tokens.read(variant, 'admin')))).toEqual(Array(4).fill(null))
  expect(new Set(variants.map(tokenDigest))).toEqual(new Set([tokenDigest(token)]))
  expect(tokenDigest(tokens.sign(admin))).not.toBe(tokenDigest(token))
})
