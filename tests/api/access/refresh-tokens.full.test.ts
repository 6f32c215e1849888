import { describe, expect, test } from 'vitest'
import { resetPassword } from '../../../server/access/accounts.ts'
import { refreshSession } from '../../../server/access/admin-sessions.ts'
import { pruneFamilies } from '../../../server/access/refresh-families.ts'
import { days, hours, seconds } from '../../../server/platform/time/clock.ts'
import { parseSetCookies } from '../../support/clients/cookies.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount, withAppContext } from '../../support/fixtures/accounts.ts'
import { readClaims } from '../../support/fixtures/credentials.ts'
import { createSignIn, refresh, renewSignIn, type TestSignIn } from '../../support/fixtures/sign-ins.ts'
import { createMovableClock, serviceForFile, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { anonymous } = service
const clock = createMovableClock()
/** Tests that move the clock use this service, whose first sessions may expire. */
const timed = await serviceForFile({ edges: { clock } })

const requestWithSession = ({ admin }: TestSignIn) => admin.get('/api/admin/api-tokens')
const expectEnded = async (signedIn: TestSignIn, to = service) => {
  expectProblem(await requestWithSession(signedIn), 401, 'TOKEN_REVOKED')
  expectProblem(await refresh(to, signedIn.refreshToken), 401, 'TOKEN_REVOKED')
}

test('a refresh returns a new session and the next token, sets both cookies and stores no token', async () => {
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
  const rows = JSON.stringify(readDatabase(service, (stored) => stored.prepare('select * from refresh_families').all()))
  for (const token of [first.refreshToken, body.refresh_token]) expect(rows).not.toContain(token.split('.')[2])
})

test('the cookie admin_refresh is accepted, and the body preferred', async () => {
  const [one, other] = [await createSignIn(service), await createSignIn(service)]
  const cookie = { cookie: `admin_refresh=${one.refreshToken}` }
  const byBody = await anonymous.post('/api/auth/refresh', { refresh_token: other.refreshToken }, cookie)
  expect(readClaims(byBody.body.refresh_token).fam).toBe(readClaims(other.refreshToken).fam)
  const byCookie = await anonymous.call('POST', '/api/auth/refresh', { headers: cookie })
  expect(readClaims(byCookie.body.refresh_token).fam).toBe(readClaims(one.refreshToken).fam)
  expectProblem(await anonymous.call('POST', '/api/auth/refresh'), 401, 'NO_TOKEN')
})

test('the session of an account that must change its password first allows no more after a refresh', async () => {
  const { username, password } = await createAccount(service, 'admin', { mustChangePassword: true })
  const { refreshToken } = await createSignIn(service, username, password)
  const next = await renewSignIn(service, refreshToken)
  expectProblem(await next.admin.get('/api/admin/events'), 403, 'MUST_CHANGE_PASSWORD')
})

describe('a refresh token works once', () => {
  test('except the last replaced one within 30 seconds, with the same successor', async () => {
    const first = await createSignIn(timed)
    const next = await renewSignIn(timed, first.refreshToken)
    clock.advance(seconds(29))
    const again = await renewSignIn(timed, first.refreshToken)
    expect(again.refreshToken).toBe(next.refreshToken)
    expect((await requestWithSession(again)).status).toBe(200)
    const last = await renewSignIn(timed, next.refreshToken)
    expect(last.refreshToken).not.toBe(next.refreshToken)
    clock.advance(seconds(31))
    // A use after 30 seconds ends the whole family.
    expectProblem(await refresh(timed, next.refreshToken), 401, 'TOKEN_REVOKED')
    await expectEnded(last, timed)
  })

  test('and another process, which has never seen the successor, returns the same one', async () => {
    const { refreshToken } = await createSignIn(service)
    const next = await renewSignIn(service, refreshToken)
    const again = await withAppContext(service, (ctx) => refreshSession(ctx, refreshToken))
    expect(again.refreshToken).toBe(next.refreshToken)
  })

  test('for two tabs at once, which both get the same successor', { tags: 'database' }, async () => {
    let { refreshToken } = await createSignIn(service)
    for (let round = 0; round < 5; round++) {
      const tabs = await Promise.all([renewSignIn(service, refreshToken), renewSignIn(service, refreshToken)])
      expect(tabs[1].refreshToken).toBe(tabs[0].refreshToken)
      for (const tab of tabs) expect((await requestWithSession(tab)).status).toBe(200)
      refreshToken = tabs[0].refreshToken
    }
  })

  test('and a third use ends the whole family with its sessions, but no other sign-in', async () => {
    const [first, other] = [await createSignIn(service), await createSignIn(service)]
    const next = await renewSignIn(service, first.refreshToken)
    await renewSignIn(service, first.refreshToken)
    expect((await requestWithSession(next)).status).toBe(200)
    expectProblem(await refresh(service, first.refreshToken), 401, 'TOKEN_REVOKED')
    await expectEnded(next)
    expectProblem(await requestWithSession(first), 401, 'TOKEN_REVOKED')
    expect((await requestWithSession(other)).status).toBe(200)
    await renewSignIn(service, other.refreshToken)
  })

  test('and one before the last replaced, such as the owner of a stolen one has, ends the family at once', async () => {
    const first = await createSignIn(service)
    const second = await renewSignIn(service, first.refreshToken)
    const third = await renewSignIn(service, second.refreshToken)
    expectProblem(await refresh(service, first.refreshToken), 401, 'TOKEN_REVOKED')
    await expectEnded(third)
  })

  test('it lasts 30 days, and so does each successor; only expired records are deleted', async () => {
    const [used, unused] = [await createSignIn(timed), await createSignIn(timed)]
    clock.advance(days(29))
    const next = await renewSignIn(timed, used.refreshToken)
    clock.advance(days(2))
    expectProblem(await refresh(timed, unused.refreshToken), 401, 'TOKEN_EXPIRED')
    await withAppContext(timed, (ctx) => pruneFamilies({ ...ctx, clock }))
    const families = readDatabase(timed, (stored) => stored.prepare('select id from refresh_families').pluck().all())
    expect(families).toEqual([readClaims(used.refreshToken).fam])
    const last = await renewSignIn(timed, next.refreshToken)
    expect((await requestWithSession(last)).status).toBe(200)
    expectProblem(await requestWithSession(next), 401, 'TOKEN_EXPIRED')
  })
})

describe('a family ends with', () => {
  test('a change of the password, which returns a new one', async () => {
    const { username, password } = await createAccount(service, 'admin')
    const one = await createSignIn(service, username, password)
    const other = await createSignIn(service, username, password)
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

  test('a sign-out: by an earlier session, by an expired session, and with only the refresh token', async () => {
    const one = await createSignIn(service)
    const next = await renewSignIn(service, one.refreshToken)
    await one.admin.post('/api/auth/logout', {})
    await expectEnded(next)
    const expired = await createSignIn(timed)
    clock.advance(hours(25))
    expectProblem(await requestWithSession(expired), 401, 'TOKEN_EXPIRED')
    expect((await expired.admin.post('/api/auth/logout', {})).status).toBe(200)
    expectProblem(await refresh(timed, expired.refreshToken), 401, 'TOKEN_REVOKED')
    const other = await createSignIn(service)
    await anonymous.post('/api/auth/logout', { refresh_token: other.refreshToken })
    await expectEnded(other)
  })
})
