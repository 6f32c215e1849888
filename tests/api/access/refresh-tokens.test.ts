import { describe, expect, test } from 'vitest'
import { resetPassword } from '../../../server/access/accounts.ts'
import { refreshSession } from '../../../server/access/admin-sessions.ts'
import { pruneFamilies } from '../../../server/access/refresh-families.ts'
import { days, hours, seconds } from '../../../server/platform/clock.ts'
import { parseSetCookies } from '../../support/clients/cookies.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { readClaims } from '../../support/fixtures/credentials.ts'
import { createSignIn, refresh, renewSignIn, type TestSignIn } from '../../support/fixtures/sign-ins.ts'
import { adminPassword, createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { anonymous } = service

const requestWithSession = ({ admin }: TestSignIn) => admin.get('/api/admin/api-tokens')
const expectEnded = async (signedIn: TestSignIn) => {
  expectProblem(await requestWithSession(signedIn), 401, 'TOKEN_REVOKED')
  expectProblem(await refresh(service, signedIn.refreshToken), 401, 'TOKEN_REVOKED')
}

async function startTimedService() {
  const clock = createMovableClock()
  return { clock, timed: await serviceForTest({ edges: { clock } }) }
}

describe('signing in', () => {
  test('returns refresh_token, a JWT of the type refresh that lasts 30 days', async () => {
    const claims = readClaims((await createSignIn(service)).refreshToken)
    expect(claims.type).toBe('refresh')
    expect(Number(claims.exp) - Number(claims.iat)).toBe(30 * 24 * 3600)
  })

  test('sets admin_refresh for one route only, HttpOnly and SameSite=Lax, Secure if PUBLIC_URL is https', async () => {
    const { headers, body } = await signIn(service, 'admin', adminPassword)
    const cookie = parseSetCookies(headers).get('admin_refresh')
    expect(cookie?.value).toBe(body.refresh_token)
    expect(cookie?.attributes.sort()).toEqual([
      'httponly',
      `max-age=${30 * 24 * 3600}`,
      'path=/api/auth/refresh',
      'samesite=lax',
    ])
    const secured = await serviceForTest({ environment: { PUBLIC_URL: 'https://photos.example' } })
    const secure = parseSetCookies((await signIn(secured, 'admin', adminPassword)).headers)
    expect(secure.get('admin_refresh')?.attributes).toContain('secure')
  })

  test('stores no token in the database', async () => {
    const { refreshToken } = await createSignIn(service)
    const next = await renewSignIn(service, refreshToken)
    const rows = JSON.stringify(
      readDatabase(service, (stored) => stored.prepare('select * from refresh_families').all()),
    )
    for (const token of [refreshToken, next.refreshToken]) {
      expect(rows).not.toContain(token)
      expect(rows).not.toContain(token.split('.')[2])
    }
  })
})

describe('POST /api/auth/refresh', () => {
  test('returns a new session and the next refresh token, and sets both cookies', async () => {
    const first = await createSignIn(service)
    const { status, body, headers } = await refresh(service, first.refreshToken)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['refresh_token', 'token'])
    expect(body.refresh_token).not.toBe(first.refreshToken)
    expect(parseSetCookies(headers).get('admin_token')?.value).toBe(body.token)
    expect(parseSetCookies(headers).get('admin_refresh')).toMatchObject({
      value: body.refresh_token,
      attributes: expect.arrayContaining(['path=/api/auth/refresh', 'httponly']),
    })
    expect((await createClient(service.url, body.token).get('/api/admin/events')).status).toBe(200)
    expect((await requestWithSession(first)).status).toBe(200)
  })

  test('accepts the cookie admin_refresh, and prefers the body', async () => {
    const [one, other] = [await createSignIn(service), await createSignIn(service)]
    const cookie = { cookie: `admin_refresh=${one.refreshToken}` }
    const byBody = await anonymous.post('/api/auth/refresh', { refresh_token: other.refreshToken }, cookie)
    expect(readClaims(byBody.body.refresh_token).fam).toBe(readClaims(other.refreshToken).fam)
    const byCookie = await anonymous.call('POST', '/api/auth/refresh', { headers: cookie })
    expect(byCookie.status).toBe(200)
    expect(readClaims(byCookie.body.refresh_token).fam).toBe(readClaims(one.refreshToken).fam)
  })

  test('rejects a cookie sent by another page with 403 CROSS_ORIGIN, without using it up', async () => {
    const { refreshToken } = await createSignIn(service)
    const cookie = `admin_refresh=${refreshToken}`
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      expectProblem(await anonymous.post('/api/auth/refresh', {}, { cookie, ...headers }), 403, 'CROSS_ORIGIN')
    }
    await renewSignIn(service, refreshToken)
    await renewSignIn(service, refreshToken)
  })

  test('rejects anything but a refresh token', async () => {
    const { token } = await createSignIn(service)
    expectProblem(await anonymous.call('POST', '/api/auth/refresh'), 401, 'NO_TOKEN')
    for (const other of [token, service.api.token ?? '', 'garbage']) {
      const answer = await refresh(service, other)
      expectProblem(answer, 401, 'INVALID_TOKEN')
      expect(answer.headers.getSetCookie()).toEqual([])
      if (other !== 'garbage') expect(answer.body.error).toMatch(/refresh/)
    }
  })

  test('works for an account that must change its password first; the session allows no more than before', async () => {
    const { username, password } = await createAccount(service, 'admin', { mustChangePassword: true })
    const { refreshToken } = await createSignIn(service, username, password)
    const next = await renewSignIn(service, refreshToken)
    expectProblem(await next.admin.get('/api/admin/events'), 403, 'MUST_CHANGE_PASSWORD')
  })
})

describe('a refresh token works once', () => {
  test('except the last replaced one within 30 seconds, with the same successor', async () => {
    const { clock, timed } = await startTimedService()
    const { refreshToken } = await createSignIn(timed)
    const next = await renewSignIn(timed, refreshToken)
    clock.advance(seconds(29))
    const again = await renewSignIn(timed, refreshToken)
    expect(again.refreshToken).toBe(next.refreshToken)
    expect((await requestWithSession(again)).status).toBe(200)
    expect((await renewSignIn(timed, next.refreshToken)).refreshToken).not.toBe(next.refreshToken)
  })

  test('also in another process, which has never seen the successor', async () => {
    const { refreshToken } = await createSignIn(service)
    const next = await renewSignIn(service, refreshToken)
    const again = await withAppContext(service, (ctx) => refreshSession(ctx, refreshToken))
    expect(again.refreshToken).toBe(next.refreshToken)
  })

  test('for two tabs at once, which both get the same successor', async () => {
    for (let round = 0; round < 5; round++) {
      const { refreshToken } = await createSignIn(service)
      const [one, two] = await Promise.all([renewSignIn(service, refreshToken), renewSignIn(service, refreshToken)])
      expect(two.refreshToken).toBe(one.refreshToken)
      for (const tab of [one, two]) expect((await requestWithSession(tab)).status).toBe(200)
      await renewSignIn(service, one.refreshToken)
    }
  })

  test('and a third use ends the whole family, including its sessions', async () => {
    const first = await createSignIn(service)
    const next = await renewSignIn(service, first.refreshToken)
    await renewSignIn(service, first.refreshToken)
    expect((await requestWithSession(next)).status).toBe(200)
    expectProblem(await refresh(service, first.refreshToken), 401, 'TOKEN_REVOKED')
    await expectEnded(next)
    expectProblem(await requestWithSession(first), 401, 'TOKEN_REVOKED')
  })

  test('and a use after 30 seconds ends the whole family', async () => {
    const { clock, timed } = await startTimedService()
    const first = await createSignIn(timed)
    const next = await renewSignIn(timed, first.refreshToken)
    clock.advance(seconds(31))
    expectProblem(await refresh(timed, first.refreshToken), 401, 'TOKEN_REVOKED')
    expectProblem(await refresh(timed, next.refreshToken), 401, 'TOKEN_REVOKED')
    expectProblem(await requestWithSession(next), 401, 'TOKEN_REVOKED')
  })

  test('and one before the last replaced ends the whole family at once', async () => {
    const first = await createSignIn(service)
    const second = await renewSignIn(service, first.refreshToken)
    const third = await renewSignIn(service, second.refreshToken)
    expectProblem(await refresh(service, first.refreshToken), 401, 'TOKEN_REVOKED')
    await expectEnded(third)
  })

  test('and a stolen one ends for thief and owner', async () => {
    const { clock, timed } = await startTimedService()
    const stolen = (await createSignIn(timed)).refreshToken
    let thiefSignIn = await renewSignIn(timed, stolen)
    clock.advance(hours(20))
    thiefSignIn = await renewSignIn(timed, thiefSignIn.refreshToken)
    expectProblem(await refresh(timed, stolen), 401, 'TOKEN_REVOKED')
    expectProblem(await refresh(timed, thiefSignIn.refreshToken), 401, 'TOKEN_REVOKED')
    expectProblem(await requestWithSession(thiefSignIn), 401, 'TOKEN_REVOKED')
  })

  test('and other sign-ins of the account continue', async () => {
    const other = await createSignIn(service)
    const { refreshToken } = await createSignIn(service)
    const next = await renewSignIn(service, refreshToken)
    await renewSignIn(service, next.refreshToken)
    expectProblem(await refresh(service, refreshToken), 401, 'TOKEN_REVOKED')
    expect((await requestWithSession(other)).status).toBe(200)
    await renewSignIn(service, other.refreshToken)
  })

  test('it lasts 30 days, and so does each successor', async () => {
    const { clock, timed } = await startTimedService()
    const [used, unused] = [await createSignIn(timed), await createSignIn(timed)]
    clock.advance(days(29))
    const next = await renewSignIn(timed, used.refreshToken)
    clock.advance(days(2))
    expectProblem(await refresh(timed, unused.refreshToken), 401, 'TOKEN_EXPIRED')
    const last = await renewSignIn(timed, next.refreshToken)
    expect((await requestWithSession(last)).status).toBe(200)
    expectProblem(await requestWithSession(next), 401, 'TOKEN_EXPIRED')
  })

  test('only expired records are deleted', async () => {
    const { clock, timed } = await startTimedService()
    const count = () =>
      readDatabase(timed, (stored) => stored.prepare('select count(*) from refresh_families').pluck().get())
    await createSignIn(timed)
    clock.advance(days(29))
    const { refreshToken } = await createSignIn(timed)
    clock.advance(days(2))
    await withAppContext(timed, (ctx) => pruneFamilies({ ...ctx, clock }))
    expect(count()).toBe(1)
    await renewSignIn(timed, refreshToken)
  })
})

describe('a family ends with', () => {
  test('a change of the password, which returns a new one', async () => {
    const { username, password } = await createAccount(service, 'admin')
    const [one, other] = [
      await createSignIn(service, username, password),
      await createSignIn(service, username, password),
    ]
    const change = { currentPassword: password, newPassword: 'a new and longer one' }
    const { body, headers } = await one.admin.post('/api/admin/auth/change-password', change)
    for (const ended of [one, other]) await expectEnded(ended)
    expect(parseSetCookies(headers).get('admin_refresh')?.value).toBe(body.refresh_token)
    expect((await requestWithSession(await renewSignIn(service, body.refresh_token))).status).toBe(200)
  })

  test('a reset of the password at the command line', async () => {
    const { username, password } = await createAccount(service, 'admin')
    const one = await createSignIn(service, username, password)
    await withAppContext(service, (ctx) => resetPassword(ctx, username))
    await expect.poll(async () => (await requestWithSession(one)).body.code).toBe('TOKEN_REVOKED')
    await expectEnded(one)
  })

  test('the deactivation of the account, permanently', async () => {
    const { id, username, password } = await createAccount(service, 'admin')
    const one = await createSignIn(service, username, password)
    expect((await service.admin.post(`/api/admin/users/${id}/deactivate`, {})).status).toBe(200)
    expectProblem(await refresh(service, one.refreshToken), 401, 'OWNER_INACTIVE')
    expect((await service.admin.patch(`/api/admin/users/${id}`, { is_active: true })).status).toBe(200)
    await expectEnded(one)
    await createSignIn(service, username, password)
  })

  test('a sign-out by the session, even without the refresh token', async () => {
    const one = await createSignIn(service)
    const next = await renewSignIn(service, one.refreshToken)
    await one.admin.post('/api/auth/logout', {})
    await expectEnded(next)
  })

  test('a sign-out by a session that has expired', async () => {
    const { clock, timed } = await startTimedService()
    const one = await createSignIn(timed)
    clock.advance(hours(25))
    expectProblem(await requestWithSession(one), 401, 'TOKEN_EXPIRED')
    expect((await one.admin.post('/api/auth/logout', {})).status).toBe(200)
    expectProblem(await refresh(timed, one.refreshToken), 401, 'TOKEN_REVOKED')
  })

  test('a sign-out with only the refresh token', async () => {
    const one = await createSignIn(service)
    await anonymous.post('/api/auth/logout', { refresh_token: one.refreshToken })
    await expectEnded(one)
  })
})
