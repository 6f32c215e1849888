import { describe, expect, test } from 'vitest'
import { minutes, seconds } from '../../../server/platform/clock.ts'
import { parseSetCookies } from '../../support/clients/cookies.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn } from '../../support/fixtures/accounts.ts'
import { readClaims } from '../../support/fixtures/credentials.ts'
import {
  createAccountWithFactor,
  generateCode,
  generateWrongCode,
  passFirstStep,
  sendSecondStep,
} from '../../support/fixtures/second-factor.ts'
import { createSignIn, refresh } from '../../support/fixtures/sign-ins.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { anonymous } = service

/** Advances to the start of the next time step, so that its code stays valid during a test. */
const advanceToNextStep = () => clock.advance(seconds(30) - (clock.now() % seconds(30)))
const createGuardedAccount = async (to = service) => {
  const account = await createAccountWithFactor(to, clock.now())
  advanceToNextStep()
  return account
}

describe('signing in with a second factor', () => {
  test('first returns {mfaRequired: true, mfaToken} and sets no cookie', async () => {
    const { username, email, password } = await createGuardedAccount()
    for (const login of [username, email]) {
      const { status, body, headers } = await signIn(service, login, password)
      expect(status).toBe(200)
      expect(body).toEqual({ mfaRequired: true, mfaToken: expect.any(String) })
      expect(headers.getSetCookie()).toEqual([])
    }
  })

  test('then, with a code, returns what the login returns', async () => {
    const account = await createGuardedAccount()
    const answer = await sendSecondStep(
      service,
      await passFirstStep(service, account),
      generateCode(account.secret, clock.now()),
    )
    expect(answer.status).toBe(200)
    const { token, refresh_token } = answer.body
    expect(answer.body.user).toEqual({
      id: account.id,
      username: account.username,
      email: account.email,
      mustChangePassword: false,
    })
    expect(parseSetCookies(answer.headers).get('admin_token')?.value).toBe(token)
    expect(parseSetCookies(answer.headers).get('admin_refresh')?.value).toBe(refresh_token)
    const { body } = await createClient(service.url, token).get('/api/auth/session')
    expect(body).toMatchObject({ valid: true, user: { username: account.username, mfaEnabled: true } })
    expect((await refresh(service, refresh_token)).status).toBe(200)
  })

  test('with a wrong password is 401, and reveals nothing about the factor', async () => {
    const { username } = await createGuardedAccount()
    const unguarded = await createAccount(service, 'viewer')
    const answer = await signIn(service, username, 'wrong')
    expectProblem(answer, 401, 'INVALID_CREDENTIALS')
    expect(answer.body).toEqual((await signIn(service, unguarded.username, 'wrong')).body)
  })

  test('accepts the codes of the previous, the current and the next step only', async () => {
    for (const [ms, status] of [
      [-60_000, 401],
      [-30_000, 200],
      [0, 200],
      [30_000, 200],
      [60_000, 401],
    ] as const) {
      const account = await createGuardedAccount()
      advanceToNextStep()
      advanceToNextStep()
      const code = generateCode(account.secret, clock.now() + ms)
      expect((await sendSecondStep(service, await passFirstStep(service, account), code)).status).toBe(status)
    }
  })

  test('accepts a code once, also the code that confirmed the factor', async () => {
    const confirmedAt = clock.now()
    const account = await createAccountWithFactor(service, confirmedAt)
    const confirming = generateCode(account.secret, confirmedAt)
    expectProblem(
      await sendSecondStep(service, await passFirstStep(service, account), confirming),
      401,
      'INVALID_CREDENTIALS',
    )
    advanceToNextStep()
    const code = generateCode(account.secret, clock.now())
    expect((await sendSecondStep(service, await passFirstStep(service, account), code)).status).toBe(200)
    expectProblem(
      await sendSecondStep(service, await passFirstStep(service, account), code),
      401,
      'INVALID_CREDENTIALS',
    )
  })

  test('accepts no code older than the last one', async () => {
    const account = await createGuardedAccount()
    advanceToNextStep()
    const [older, newer] = [
      generateCode(account.secret, clock.now() - 30_000),
      generateCode(account.secret, clock.now()),
    ]
    expect((await sendSecondStep(service, await passFirstStep(service, account), newer)).status).toBe(200)
    expectProblem(
      await sendSecondStep(service, await passFirstStep(service, account), older),
      401,
      'INVALID_CREDENTIALS',
    )
  })

  test('accepts a code once from two requests at once', async () => {
    const account = await createGuardedAccount()
    const tokens = [await passFirstStep(service, account), await passFirstStep(service, account)]
    const code = generateCode(account.secret, clock.now())
    const answers = await Promise.all(tokens.map((token) => sendSecondStep(service, token, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('accepts each recovery code once, in any spelling', async () => {
    const account = await createGuardedAccount()
    const [first = '', second = '', third = ''] = account.recoveryCodes
    const written = [first, second.toUpperCase(), third.replaceAll('-', ' ')]
    for (const code of written) {
      expect((await sendSecondStep(service, await passFirstStep(service, account), code)).status).toBe(200)
      expectProblem(
        await sendSecondStep(service, await passFirstStep(service, account), code),
        401,
        'INVALID_CREDENTIALS',
      )
      expect(
        (await sendSecondStep(service, await passFirstStep(service, account), `${first.slice(0, -1)}0`)).status,
      ).toBe(401)
      advanceToNextStep()
      const fresh = generateCode(account.secret, clock.now())
      expect((await sendSecondStep(service, await passFirstStep(service, account), fresh)).status).toBe(200)
    }
    const { body } = await account.admin.get('/api/admin/auth/mfa')
    expect(body).toMatchObject({ enabled: true, recoveryCodesLeft: 7 })
  })

  test('rejects the recovery code of another account', async () => {
    const [one, other] = [await createGuardedAccount(), await createGuardedAccount()]
    const answer = await sendSecondStep(service, await passFirstStep(service, one), other.recoveryCodes[0] ?? '')
    expectProblem(answer, 401, 'INVALID_CREDENTIALS')
  })
})

describe('the mfaToken', () => {
  test('lasts 5 minutes', async () => {
    const account = await createGuardedAccount()
    const claims = readClaims(await passFirstStep(service, account))
    expect(Number(claims.exp) - Number(claims.iat)).toBe(5 * 60)
    const late = await passFirstStep(service, account)
    clock.advance(minutes(5))
    expectProblem(await sendSecondStep(service, late, generateCode(account.secret, clock.now())), 401, 'TOKEN_EXPIRED')
  })

  test('is used up by the sign-in', async () => {
    const account = await createGuardedAccount()
    const mfaToken = await passFirstStep(service, account)
    expect((await sendSecondStep(service, mfaToken, generateCode(account.secret, clock.now()))).status).toBe(200)
    expectProblem(await sendSecondStep(service, mfaToken, account.recoveryCodes[0] ?? ''), 401, 'TOKEN_REVOKED')
  })

  test('is valid only for its account, password and factor', async () => {
    const { admin: other, ...account } = await createGuardedAccount()
    const before = await passFirstStep(service, account as never)
    await other.post('/api/admin/auth/mfa/disable', { password: account.password })
    expectProblem(await sendSecondStep(service, before, account.recoveryCodes[0] ?? ''), 401, 'TOKEN_REVOKED')

    const changed = await createGuardedAccount()
    const older = await passFirstStep(service, changed)
    const change = { currentPassword: changed.password, newPassword: 'a new and longer one' }
    expect((await changed.admin.post('/api/admin/auth/change-password', change)).status).toBe(200)
    expectProblem(await sendSecondStep(service, older, generateCode(changed.secret, clock.now())), 401, 'TOKEN_REVOKED')
  })

  test('is not interchangeable with another token', async () => {
    const account = await createGuardedAccount()
    const mfaToken = await passFirstStep(service, account)
    expectProblem(await createClient(service.url, mfaToken).get('/api/admin/events'), 401, 'INVALID_TOKEN')
    expectProblem(await refresh(service, mfaToken), 401, 'INVALID_TOKEN')
    const { token, refreshToken } = await createSignIn(service)
    for (const wrong of [token, refreshToken, service.api.token ?? '', 'x']) {
      expectProblem(await sendSecondStep(service, wrong, '123456'), 401, 'INVALID_TOKEN')
    }
  })
})

describe('wrong codes count as wrong passwords', () => {
  test('5 lock the account for the address, with the password and with the code', async () => {
    const account = await createGuardedAccount()
    const mfaToken = await passFirstStep(service, account)
    for (let attempt = 0; attempt < 5; attempt++) {
      const wrong = await sendSecondStep(service, mfaToken, generateWrongCode(account.secret, clock.now()))
      expectProblem(wrong, 401, 'INVALID_CREDENTIALS')
      expect(wrong.body.error).toBe('The code is incorrect.')
    }
    const locked = await sendSecondStep(service, mfaToken, generateCode(account.secret, clock.now()))
    expectProblem(locked, 423, 'ACCOUNT_LOCKED')
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(29 * 60)
    for (const login of [account.username, account.email]) {
      expectProblem(await signIn(service, login, account.password), 423, 'ACCOUNT_LOCKED')
    }
    clock.advance(minutes(31))
    const again = await passFirstStep(service, account)
    expect((await sendSecondStep(service, again, generateCode(account.secret, clock.now()))).status).toBe(200)
  })

  test('a correct password between them does not reset the count', async () => {
    const account = await createGuardedAccount()
    for (let attempt = 0; attempt < 5; attempt++) {
      const mfaToken = await passFirstStep(service, account)
      expect((await sendSecondStep(service, mfaToken, generateWrongCode(account.secret, clock.now()))).status).toBe(401)
    }
    expectProblem(await signIn(service, account.username, account.password), 423, 'ACCOUNT_LOCKED')
  })

  test('a correct password never counts as a failure', async () => {
    const account = await createGuardedAccount()
    for (let attempt = 0; attempt < 12; attempt++) await passFirstStep(service, account)
    const code = generateCode(account.secret, clock.now())
    expect((await sendSecondStep(service, await passFirstStep(service, account), code)).status).toBe(200)
  })

  test('a complete sign-in resets the count', async () => {
    const account = await createGuardedAccount()
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < 4; attempt++) {
        const wrong = generateWrongCode(account.secret, clock.now())
        expect((await sendSecondStep(service, await passFirstStep(service, account), wrong)).status).toBe(401)
      }
      const code = generateCode(account.secret, clock.now())
      expect((await sendSecondStep(service, await passFirstStep(service, account), code)).status).toBe(200)
      advanceToNextStep()
    }
  })

  test('20 in 15 minutes from one address are 401, more are 429', async () => {
    const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' }, edges: { clock } })
    for (let account = 0; account < 5; account++) {
      const guarded = await createGuardedAccount(limited)
      const mfaToken = await passFirstStep(limited, guarded)
      for (let attempt = 0; attempt < 4; attempt++) {
        const wrong = generateWrongCode(guarded.secret, clock.now())
        expect((await sendSecondStep(limited, mfaToken, wrong)).status).toBe(401)
      }
    }
    expectProblem(await signIn(limited, 'nobody', 'wrong'), 429, 'RATE_LIMITED')
  })

  test('20 per hour at one account from any address: then none is checked', async () => {
    const environment = { RATE_LIMIT: 'on', TRUST_PROXY: '1' }
    const limited = await serviceForTest({ environment, edges: { clock } })
    const account = await createGuardedAccount(limited)
    const mfaToken = await passFirstStep(limited, account)
    const forwardedFor = (address: number) => ({ 'x-forwarded-for': `10.0.0.${address}` })
    for (let attempt = 0; attempt < 20; attempt++) {
      const wrong = generateWrongCode(account.secret, clock.now())
      expect((await sendSecondStep(limited, mfaToken, wrong, forwardedFor(attempt))).status).toBe(401)
    }
    const code = generateCode(account.secret, clock.now())
    expectProblem(await sendSecondStep(limited, mfaToken, code, forwardedFor(99)), 429, 'RATE_LIMITED')
    clock.advance(minutes(61))
    const later = generateCode(account.secret, clock.now())
    expect((await sendSecondStep(limited, await passFirstStep(limited, account), later, forwardedFor(99))).status).toBe(
      200,
    )
  })
})

describe('setting a second factor up', () => {
  test('returns secret and otpauth URL, and requires no code before it is confirmed', async () => {
    const account = await createAccount(service, 'viewer')
    const { status, body } = await account.admin.post('/api/admin/auth/mfa/setup', { password: account.password })
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(body.otpauthUrl)
    expect([url.protocol, url.host, url.pathname]).toEqual(['otpauth:', 'totp', `/Proofroom:${account.username}`])
    expect(url.searchParams.get('secret')).toBe(body.secret)
    expect((await account.admin.get('/api/admin/auth/mfa')).body).toEqual({
      enabled: false,
      confirmedAt: null,
      recoveryCodesLeft: 0,
    })
    expect((await signIn(service, account.username, account.password)).body).toHaveProperty('token')
    expect((await account.admin.get('/api/auth/session')).body.user.mfaEnabled).toBe(false)
  })

  test('requires the password', async () => {
    const { admin } = await createAccount(service, 'viewer')
    expectInvalidField(await admin.post('/api/admin/auth/mfa/setup', {}), 'password')
    expectProblem(await admin.post('/api/admin/auth/mfa/setup', { password: 'wrong' }), 401, 'INVALID_CREDENTIALS')
  })

  test('confirms only the last secret', async () => {
    const { admin, password } = await createAccount(service, 'viewer')
    const secrets = []
    for (let index = 0; index < 2; index++) {
      secrets.push((await admin.post('/api/admin/auth/mfa/setup', { password })).body.secret)
    }
    const confirm = (secret: string) =>
      admin.post('/api/admin/auth/mfa/confirm', { code: generateCode(secret, clock.now()) })
    expectProblem(await confirm(secrets[0]), 401, 'INVALID_CREDENTIALS')
    const { status, body } = await confirm(secrets[1])
    expect(status).toBe(200)
    expect(new Set(body.recoveryCodes).size).toBe(10)
  })

  test('cannot be confirmed by guessing, or after more than 15 minutes', async () => {
    const { admin, password } = await createAccount(service, 'admin')
    const setUp = async () => (await admin.post('/api/admin/auth/mfa/setup', { password })).body.secret as string
    const confirm = (code: string) => admin.post('/api/admin/auth/mfa/confirm', { code })
    const late = await setUp()
    clock.advance(minutes(15))
    expectProblem(await confirm(generateCode(late, clock.now())), 409, 'INVALID_STATE')
    const secret = await setUp()
    for (let tries = 0; tries < 5; tries++) {
      expectProblem(await confirm(generateWrongCode(secret, clock.now())), 401, 'INVALID_CREDENTIALS')
    }
    expectProblem(await confirm(generateCode(secret, clock.now())), 423, 'ACCOUNT_LOCKED')
  })

  test('is rejected while one is on, and so is a confirmation without a setup', async () => {
    const account = await createGuardedAccount()
    const code = generateCode(account.secret, clock.now())
    const setUp = await account.admin.post('/api/admin/auth/mfa/setup', { password: account.password })
    expectProblem(setUp, 409, 'INVALID_STATE')
    expectProblem(await account.admin.post('/api/admin/auth/mfa/confirm', { code }), 409, 'INVALID_STATE')
    expect((await sendSecondStep(service, await passFirstStep(service, account), code)).status).toBe(200)
    const { admin } = await createAccount(service, 'viewer')
    expectProblem(await admin.post('/api/admin/auth/mfa/confirm', { code }), 409, 'INVALID_STATE')
  })

  test('stores neither secret nor recovery codes in plain text', async () => {
    const { secret, recoveryCodes } = await createGuardedAccount()
    const rows = readDatabase(service, (stored) =>
      ['second_factors', 'recovery_codes'].map((table) => stored.prepare(`select * from ${table}`).all()),
    )
    const text = JSON.stringify(rows)
    for (const kept of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(text.toLowerCase()).not.toContain(kept.toLowerCase())
    }
  })

  test('a code that cannot be checked after a key change is rejected with advice; a recovery code works', async () => {
    const account = await createGuardedAccount()
    await changeDatabase(service, (stored) =>
      stored
        .prepare("update second_factors set sealed_secret = '00000000' || substr(sealed_secret, 9) where user_id = ?")
        .run(account.id),
    )
    const mfaToken = await passFirstStep(service, account)
    const rejected = await sendSecondStep(service, mfaToken, generateCode(account.secret, clock.now()))
    expectProblem(rejected, 401, 'INVALID_CREDENTIALS')
    expect(rejected.body.error).toContain('Use a recovery code')
    expect((await sendSecondStep(service, mfaToken, account.recoveryCodes[0] ?? '')).status).toBe(200)
  })

  test('the encrypted secret of one account is invalid for another', async () => {
    const [one, other] = [await createGuardedAccount(), await createGuardedAccount()]
    await changeDatabase(service, (stored) =>
      stored
        .prepare(
          `update second_factors set sealed_secret = (select sealed_secret from second_factors where user_id = ?)
           where user_id = ?`,
        )
        .run(one.id, other.id),
    )
    const answer = await sendSecondStep(
      service,
      await passFirstStep(service, other),
      generateCode(one.secret, clock.now()),
    )
    expectProblem(answer, 500, 'INTERNAL_ERROR')
  })
})

describe('disabling the second factor', () => {
  test.each(['password', 'code', 'recovery code'] as const)('accepts the %s', async (proof) => {
    const account = await createGuardedAccount()
    const proofs = {
      password: { password: account.password },
      code: { code: generateCode(account.secret, clock.now()) },
      'recovery code': { code: account.recoveryCodes[0] },
    }
    expect((await account.admin.post('/api/admin/auth/mfa/disable', proofs[proof])).status).toBe(200)
    expect((await signIn(service, account.username, account.password)).body).toHaveProperty('token')
    expectProblem(
      await account.admin.post('/api/admin/auth/mfa/disable', { password: account.password }),
      409,
      'INVALID_STATE',
    )
  })

  test('accepts nothing else, and locks after guesses', async () => {
    const { admin, secret } = await createGuardedAccount()
    const disable = (body: object) => admin.post('/api/admin/auth/mfa/disable', body)
    expectInvalidField(await disable({}), 'password')
    expectProblem(await disable({ password: 'wrong' }), 401, 'INVALID_CREDENTIALS')
    for (let attempt = 0; attempt < 4; attempt++) {
      expectProblem(await disable({ code: generateWrongCode(secret, clock.now()) }), 401, 'INVALID_CREDENTIALS')
    }
    expectProblem(await disable({ code: generateCode(secret, clock.now()) }), 423, 'ACCOUNT_LOCKED')
    expect((await admin.get('/api/admin/auth/mfa')).body.enabled).toBe(true)
  })
})

test('new recovery codes replace the previous ones', async () => {
  const account = await createGuardedAccount()
  const path = '/api/admin/auth/mfa/recovery-codes'
  expectInvalidField(await account.admin.post(path, {}), 'password')
  expectProblem(await account.admin.post(path, { password: 'wrong' }), 401, 'INVALID_CREDENTIALS')
  const { body } = await account.admin.post(path, { password: account.password })
  expect(body.recoveryCodes).toHaveLength(10)
  const [before = '', now = ''] = [account.recoveryCodes[0], body.recoveryCodes[0]]
  expectProblem(
    await sendSecondStep(service, await passFirstStep(service, account), before),
    401,
    'INVALID_CREDENTIALS',
  )
  expect((await sendSecondStep(service, await passFirstStep(service, account), now)).status).toBe(200)
  const without = await createAccount(service, 'admin')
  expectProblem(await without.admin.post(path, { password: without.password }), 409, 'INVALID_STATE')
})

test('malformed second steps are 400', async () => {
  expectInvalidField(await anonymous.post('/api/auth/admin/login/mfa', { code: '123456' }), 'mfaToken')
  expectInvalidField(await anonymous.post('/api/auth/admin/login/mfa', { mfaToken: 'x', code: '12345' }), 'code')
  expectInvalidField(await anonymous.post('/api/auth/admin/login/mfa', { mfaToken: 'x', code: 123456 }), 'code')
})
