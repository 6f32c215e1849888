import { describe, expect, test } from 'vitest'
import { minutes, seconds } from '../../../server/platform/time/clock.ts'
import { parseSetCookies } from '../../support/clients/cookies.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn } from '../../support/fixtures/accounts.ts'
import { readClaims } from '../../support/fixtures/credentials.ts'
import {
  type AccountWithFactor,
  createAccountWithFactor,
  generateCode,
  generateWrongCode,
  passFirstStep,
  sendSecondStep,
} from '../../support/fixtures/second-factor.ts'
import { refresh } from '../../support/fixtures/sign-ins.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { anonymous } = service
const mfaPath = '/api/admin/auth/mfa'

/** Advances to the start of the next time step, so that its code stays valid during a test. */
const advanceToNextStep = () => clock.advance(seconds(30) - (clock.now() % seconds(30)))
const createGuardedAccount = async (to = service) => {
  const account = await createAccountWithFactor(to, clock.now())
  advanceToNextStep()
  return account
}
const currentCode = ({ secret }: { secret: string }) => generateCode(secret, clock.now())
const wrongCode = ({ secret }: { secret: string }) => generateWrongCode(secret, clock.now())
const complete = async (account: AccountWithFactor, code: string | undefined) =>
  sendSecondStep(service, await passFirstStep(service, account), code ?? '')
const expectComplete = async (account: AccountWithFactor, code: string | undefined) =>
  expect((await complete(account, code)).status).toBe(200)
const expectWrong = async (account: AccountWithFactor, code: string | undefined) =>
  expectProblem(await complete(account, code), 401, 'INVALID_CREDENTIALS')

describe('signing in with a second factor', () => {
  test('first returns an mfaToken and sets no cookie; then, with a code, returns what the login returns', async () => {
    const account = await createGuardedAccount()
    const { id, username, email, password } = account
    for (const login of [username, email]) {
      const { status, body, headers } = await signIn(service, login, password)
      expect([status, body]).toEqual([200, { mfaRequired: true, mfaToken: expect.any(String) }])
      expect(headers.getSetCookie()).toEqual([])
    }
    const { status, body, headers } = await complete(account, currentCode(account))
    expect(status).toBe(200)
    expect(body.user).toEqual({ id, username, email, mustChangePassword: false })
    expect(parseSetCookies(headers).get('admin_token')?.value).toBe(body.token)
    expect(parseSetCookies(headers).get('admin_refresh')?.value).toBe(body.refresh_token)
    const session = await createClient(service.url, body.token).get('/api/auth/session')
    expect(session.body).toMatchObject({ valid: true, user: { username, mfaEnabled: true } })
    expect((await refresh(service, body.refresh_token)).status).toBe(200)
  })

  test('with a wrong password is 401, and reveals nothing about the factor', async () => {
    const { username } = await createGuardedAccount()
    const unguarded = await createAccount(service, 'viewer')
    const answer = await signIn(service, username, 'wrong')
    expectProblem(answer, 401, 'INVALID_CREDENTIALS')
    expect(answer.body).toEqual((await signIn(service, unguarded.username, 'wrong')).body)
  })

  test('accepts a code once, also the one that confirmed the factor, and none older than the last', async () => {
    const confirmedAt = clock.now()
    const account = await createAccountWithFactor(service, confirmedAt)
    await expectWrong(account, generateCode(account.secret, confirmedAt))
    advanceToNextStep()
    advanceToNextStep()
    const older = generateCode(account.secret, clock.now() - seconds(30))
    const code = currentCode(account)
    await expectComplete(account, code)
    await expectWrong(account, code)
    await expectWrong(account, older)
  })

  test('accepts a code once from two requests at once', { tags: 'database' }, async () => {
    const account = await createGuardedAccount()
    const tokens = [await passFirstStep(service, account), await passFirstStep(service, account)]
    const answers = await Promise.all(tokens.map((token) => sendSecondStep(service, token, currentCode(account))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('accepts each recovery code of the account once, in any spelling', { tags: 'database' }, async () => {
    const [account, other] = [await createGuardedAccount(), await createGuardedAccount()]
    const [first = '', second = '', third = ''] = account.recoveryCodes
    await expectComplete(account, first)
    await expectWrong(account, first)
    await expectComplete(account, second.toUpperCase())
    await expectComplete(account, third.replaceAll('-', ' '))
    await expectWrong(account, other.recoveryCodes[0])
    expect((await account.admin.get(mfaPath)).body).toMatchObject({ enabled: true, recoveryCodesLeft: 7 })
  })

  test('malformed second steps are 400', async () => {
    expectInvalidField(await anonymous.post('/api/auth/admin/login/mfa', { code: '123456' }), 'mfaToken')
    for (const code of ['12345', 123456]) {
      expectInvalidField(await anonymous.post('/api/auth/admin/login/mfa', { mfaToken: 'x', code }), 'code')
    }
  })
})

// `token-types.full.test.ts` tests that it is not interchangeable with another token.
describe('the mfaToken', () => {
  test('lasts 5 minutes, and is used up by the sign-in', async () => {
    const account = await createGuardedAccount()
    const [late, used] = [await passFirstStep(service, account), await passFirstStep(service, account)]
    const claims = readClaims(late)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(5 * 60)
    expect((await sendSecondStep(service, used, currentCode(account))).status).toBe(200)
    expectProblem(await sendSecondStep(service, used, account.recoveryCodes[0] ?? ''), 401, 'TOKEN_REVOKED')
    clock.advance(minutes(5))
    expectProblem(await sendSecondStep(service, late, currentCode(account)), 401, 'TOKEN_EXPIRED')
  })

  test('is valid only for its password and factor', async () => {
    const { admin, password, ...account } = await createGuardedAccount()
    const before = await passFirstStep(service, { admin, password, ...account })
    await admin.post(`${mfaPath}/disable`, { password })
    expectProblem(await sendSecondStep(service, before, account.recoveryCodes[0] ?? ''), 401, 'TOKEN_REVOKED')
    const changed = await createGuardedAccount()
    const older = await passFirstStep(service, changed)
    const change = { currentPassword: changed.password, newPassword: 'a new and longer one' }
    expect((await changed.admin.post('/api/admin/auth/change-password', change)).status).toBe(200)
    expectProblem(await sendSecondStep(service, older, currentCode(changed)), 401, 'TOKEN_REVOKED')
  })
})

describe('wrong codes count as wrong passwords', () => {
  test('5 lock the account for the address; only a complete sign-in resets the count', async () => {
    const account = await createGuardedAccount()
    for (let attempt = 0; attempt < 4; attempt++) await expectWrong(account, wrongCode(account))
    await expectComplete(account, currentCode(account))
    advanceToNextStep()
    const mfaToken = await passFirstStep(service, account)
    for (let attempt = 0; attempt < 5; attempt++) {
      const wrong = await complete(account, wrongCode(account))
      expectProblem(wrong, 401, 'INVALID_CREDENTIALS')
      expect(wrong.body.error).toBe('The code is incorrect.')
    }
    const locked = await sendSecondStep(service, mfaToken, currentCode(account))
    expectProblem(locked, 423, 'ACCOUNT_LOCKED')
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(29 * 60)
    for (const login of [account.username, account.email]) {
      expectProblem(await signIn(service, login, account.password), 423, 'ACCOUNT_LOCKED')
    }
    clock.advance(minutes(31))
    await expectComplete(account, currentCode(account))
  })

  test('20 per hour at one account from any address, and 20 in 15 minutes from one address, are checked', async () => {
    const environment = { RATE_LIMIT: 'on', TRUST_PROXY: '1' }
    const limited = await serviceForTest({ environment, edges: { clock } })
    const from = (address: number) => ({ 'x-forwarded-for': `10.0.0.${address}` })
    const account = await createGuardedAccount(limited)
    const mfaToken = await passFirstStep(limited, account)
    for (let attempt = 0; attempt < 20; attempt++) {
      expect((await sendSecondStep(limited, mfaToken, wrongCode(account), from(attempt))).status).toBe(401)
    }
    expectProblem(await sendSecondStep(limited, mfaToken, currentCode(account), from(99)), 429, 'RATE_LIMITED')
    clock.advance(minutes(61))
    const later = await passFirstStep(limited, account)
    expect((await sendSecondStep(limited, later, currentCode(account), from(99))).status).toBe(200)

    for (let count = 0; count < 4; count++) {
      const guarded = await createGuardedAccount(limited)
      const token = await passFirstStep(limited, guarded)
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await sendSecondStep(limited, token, wrongCode(guarded), from(50))).status).toBe(401)
      }
    }
    const login = { username: 'nobody', password: 'wrong' }
    expectProblem(await limited.anonymous.post('/api/auth/admin/login', login, from(50)), 429, 'RATE_LIMITED')
  })
})

describe('setting a second factor up', () => {
  test('requires the password, returns secret and otpauth URL, and requires no code yet', async () => {
    const { admin, username, password } = await createAccount(service, 'viewer')
    expectInvalidField(await admin.post(`${mfaPath}/setup`, {}), 'password')
    expectProblem(await admin.post(`${mfaPath}/setup`, { password: 'wrong' }), 401, 'INVALID_CREDENTIALS')
    const { status, body } = await admin.post(`${mfaPath}/setup`, { password })
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(body.otpauthUrl)
    expect([url.protocol, url.host, url.pathname]).toEqual(['otpauth:', 'totp', `/Proofroom:${username}`])
    expect(url.searchParams.get('secret')).toBe(body.secret)
    const state = { enabled: false, confirmedAt: null, recoveryCodesLeft: 0 }
    expect((await admin.get(mfaPath)).body).toEqual(state)
    expect((await signIn(service, username, password)).body).toHaveProperty('token')
    expect((await admin.get('/api/auth/session')).body.user.mfaEnabled).toBe(false)
  })

  test('confirms only the last secret, within 15 minutes, and not by guessing', async () => {
    const { admin, password } = await createAccount(service, 'admin')
    const setUp = async () => (await admin.post(`${mfaPath}/setup`, { password })).body as { secret: string }
    const confirm = (code: string) => admin.post(`${mfaPath}/confirm`, { code })
    const [replaced, last] = [await setUp(), await setUp()]
    expectProblem(await confirm(currentCode(replaced)), 401, 'INVALID_CREDENTIALS')
    clock.advance(minutes(15))
    expectProblem(await confirm(currentCode(last)), 409, 'INVALID_STATE')
    const guessed = await setUp()
    for (let tries = 0; tries < 5; tries++) {
      expectProblem(await confirm(wrongCode(guessed)), 401, 'INVALID_CREDENTIALS')
    }
    expectProblem(await confirm(currentCode(guessed)), 423, 'ACCOUNT_LOCKED')
  })

  test('is rejected while one is on, and so is a confirmation without a setup', async () => {
    const account = await createGuardedAccount()
    const code = currentCode(account)
    const setUp = await account.admin.post(`${mfaPath}/setup`, { password: account.password })
    expectProblem(setUp, 409, 'INVALID_STATE')
    const { admin } = await createAccount(service, 'viewer')
    for (const client of [account.admin, admin]) {
      expectProblem(await client.post(`${mfaPath}/confirm`, { code }), 409, 'INVALID_STATE')
    }
    await expectComplete(account, code)
  })

  test('stores neither secret nor recovery codes in plain text', async () => {
    const { secret, recoveryCodes } = await createGuardedAccount()
    const rows = readDatabase(service, (stored) =>
      ['second_factors', 'recovery_codes'].map((table) => stored.prepare(`select * from ${table}`).all()),
    )
    const text = JSON.stringify(rows).toLowerCase()
    for (const kept of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(text).not.toContain(kept.toLowerCase())
    }
  })

  test('a code that cannot be checked after a key change is rejected with advice; a recovery code works', async () => {
    const account = await createGuardedAccount()
    const changed = "'00000000' || substr(sealed_secret, 9)"
    const statement = `update second_factors set sealed_secret = ${changed} where user_id = ?`
    await changeDatabase(service, (stored) => stored.prepare(statement).run(account.id))
    const rejected = await complete(account, currentCode(account))
    expectProblem(rejected, 401, 'INVALID_CREDENTIALS')
    expect(rejected.body.error).toContain('Use a recovery code')
    await expectComplete(account, account.recoveryCodes[0])
  })

  test('the encrypted secret of one account is invalid for another', async () => {
    const [one, other] = [await createGuardedAccount(), await createGuardedAccount()]
    const sealedSecret = '(select sealed_secret from second_factors where user_id = ?)'
    const statement = `update second_factors set sealed_secret = ${sealedSecret} where user_id = ?`
    await changeDatabase(service, (stored) => stored.prepare(statement).run(one.id, other.id))
    expectProblem(await complete(other, currentCode(one)), 500, 'INTERNAL_ERROR')
  })
})

describe('disabling the second factor', () => {
  test('accepts the password, a code or a recovery code', async () => {
    for (const proof of ['password', 'code', 'recovery code'] as const) {
      const account = await createGuardedAccount()
      const { admin, username, password } = account
      const proofs = {
        password: { password },
        code: { code: currentCode(account) },
        'recovery code': { code: account.recoveryCodes[0] },
      }
      expect((await admin.post(`${mfaPath}/disable`, proofs[proof])).status, proof).toBe(200)
      expect((await signIn(service, username, password)).body).toHaveProperty('token')
      expectProblem(await admin.post(`${mfaPath}/disable`, { password }), 409, 'INVALID_STATE')
    }
  })

  test('accepts nothing else, and locks after guesses', async () => {
    const account = await createGuardedAccount()
    const disable = (body: object) => account.admin.post(`${mfaPath}/disable`, body)
    expectInvalidField(await disable({}), 'password')
    expectProblem(await disable({ password: 'wrong' }), 401, 'INVALID_CREDENTIALS')
    for (let attempt = 0; attempt < 4; attempt++) {
      expectProblem(await disable({ code: wrongCode(account) }), 401, 'INVALID_CREDENTIALS')
    }
    expectProblem(await disable({ code: currentCode(account) }), 423, 'ACCOUNT_LOCKED')
    expect((await account.admin.get(mfaPath)).body.enabled).toBe(true)
  })
})

test('new recovery codes replace the previous ones', async () => {
  const account = await createGuardedAccount()
  const path = `${mfaPath}/recovery-codes`
  expectInvalidField(await account.admin.post(path, {}), 'password')
  expectProblem(await account.admin.post(path, { password: 'wrong' }), 401, 'INVALID_CREDENTIALS')
  const { body } = await account.admin.post(path, { password: account.password })
  expect(new Set(body.recoveryCodes).size).toBe(10)
  await expectWrong(account, account.recoveryCodes[0])
  await expectComplete(account, body.recoveryCodes[0])
  const without = await createAccount(service, 'admin')
  expectProblem(await without.admin.post(path, { password: without.password }), 409, 'INVALID_STATE')
})
