import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findUser, type User } from '../../../server/access/account-rows.ts'
import { setPassword } from '../../../server/access/accounts.ts'
import { expectInvalidField, expectProblem, expectRateLimited } from '../../support/clients/problems.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { deactivate, invite, newPerson, readInviteToken, userPath } from '../../support/fixtures/people.ts'
import { mailServerForTest } from '../../support/network/mail-server.ts'
import { adminPassword, createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous } = service
const password = 'chosen by myself'
const day = 24 * 3_600_000

const accept = (token: string, body: Record<string, unknown> = { password }) =>
  anonymous.post(`/api/invite/${token}`, body)
const expectGone = async (token: string) => {
  expectProblem(await anonymous.get(`/api/invite/${token}`), 404, 'NOT_FOUND')
  expectProblem(await accept(token), 404, 'NOT_FOUND')
}

describe('an account created without a password', () => {
  test('returns an invite_url of this instance, which is valid for 7 days', async () => {
    const person = newPerson()
    const { status, body } = await admin.post('/api/admin/users', { ...person, role: 'viewer' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...person, has_password: false, mustChangePassword: false, is_active: true })
    expect(body.invite_url).toMatch(new RegExp(`^${service.url}/invite/[\\w-]{43}$`))
    expect(Date.parse(body.invite_expires_at) - Date.now()).toBeGreaterThan(7 * day - 60_000)
    expect(Date.parse(body.invite_expires_at) - Date.now()).toBeLessThanOrEqual(7 * day)
  })

  test('cannot sign in, not even with an empty password, before it has chosen one', async () => {
    const { username } = await invite(admin)
    for (const guess of ['', ' ', 'null', password]) {
      const { status, body } = await signIn(service, username, guess || 'x')
      expect([status, body.code]).toEqual([401, 'INVALID_CREDENTIALS'])
    }
  })

  test('gets its name, its address and nothing secret by the link', async () => {
    const { username, email, token } = await invite(admin)
    const { status, body } = await anonymous.get(`/api/invite/${token}`)
    expect(status).toBe(200)
    expect(body).toEqual({ username, email, expires_at: expect.stringMatching(/Z$/) })
  })

  test('chooses the password by the link, once, and signs in with it', async () => {
    const { username, token, id } = await invite(admin)
    const { status, body, headers } = await accept(token)
    expect([status, body]).toEqual([200, { success: true, username }])
    expect(headers.getSetCookie()).toEqual([])
    const signedIn = await signIn(service, username, password)
    expect(signedIn.body.user).toMatchObject({ id, mustChangePassword: false })
    await expectGone(token)
    expect((await signIn(service, username, password)).status).toBe(200)
  })

  test('gets one password if several requests use the link at once', async () => {
    const { username, token } = await invite(admin)
    const passwords = ['first password', 'second password', 'third password', 'fourth password']
    const answers = await Promise.all(passwords.map((one) => accept(token, { password: one })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    const chosen = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect((await signIn(service, username, chosen)).status).toBe(200)
  })

  test('can still use the link after a password that is too short', async () => {
    const { token } = await invite(admin)
    expectInvalidField(await accept(token, { password: '11 letters.' }), 'password')
    expectInvalidField(await accept(token, {}), 'password')
    expect((await accept(token)).status).toBe(200)
  })

  test('has only the hash of its link stored', async () => {
    const { token } = await invite(admin)
    const stored = readDatabase(service, (stored) =>
      ['invites', 'users', 'mails'].map((table) => JSON.stringify(stored.prepare(`select * from ${table}`).all())),
    )
    expect(stored.join()).toContain(createHash('sha256').update(token).digest('hex'))
    expect(stored.join()).not.toContain(token)
  })
})

describe('a link opens nothing and gets the same response as an unknown link', () => {
  test('when it is unknown', async () => {
    for (const token of ['x', 'A'.repeat(43), 'A'.repeat(200)]) await expectGone(token)
    const [unknown, used] = [await accept('x'), await invite(admin)]
    await accept(used.token)
    expect((await accept(used.token)).body).toEqual(unknown.body)
  })

  test('after 7 days', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const { token, id } = await invite(timed.admin)
    clock.advance(7 * day - 60_000)
    expect((await timed.anonymous.get(`/api/invite/${token}`)).status).toBe(200)
    clock.advance(61_000)
    expectProblem(await timed.anonymous.post(`/api/invite/${token}`, { password }), 404, 'NOT_FOUND')
    const { body } = await signIn(timed, 'admin', adminPassword)
    const { body: list } = await timed.anonymous.get('/api/admin/users', { authorization: `Bearer ${body.token}` })
    expect(list.users.find((user: { id: number }) => user.id === id)).toMatchObject({
      has_password: false,
      invite_expires_at: null,
    })
  })

  test('when the account is deactivated, also after it is active again', async () => {
    const invited = await invite(admin)
    await deactivate(admin, invited)
    await expectGone(invited.token)
    await admin.patch(userPath(invited), { is_active: true })
    await expectGone(invited.token)
  })

  test('when the mail address has changed', async () => {
    const invited = await invite(admin)
    const { body } = await admin.patch(userPath(invited), { email: newPerson().email })
    expect(body.invite_expires_at).toBeNull()
    await expectGone(invited.token)
  })

  test('when the password was set in another way', async () => {
    const { id, token } = await invite(admin)
    await withAppContext(service, async (ctx) => {
      const user = (await findUser(ctx.db, id)) as User
      await setPassword(ctx, user, 'from the command line', { mustChangePassword: true })
    })
    await expectGone(token)
  })

  test('when another link was created', async () => {
    const invited = await invite(admin)
    const { body } = await admin.post(userPath(invited, 'reset-password'), {})
    await expectGone(invited.token)
    expect((await accept(readInviteToken(body.invite_url))).status).toBe(200)
  })
})

describe('resetting the password of an account', () => {
  test('ends its sessions and its password, and returns a link to choose another one', async () => {
    const account = await createAccount(service, 'editor')
    const { status, body } = await admin.post(userPath(account, 'reset-password'), {})
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: account.id, has_password: false, invite_url: expect.stringContaining('/invite/') })
    expectProblem(await account.admin.get('/api/admin/events'), 401, 'TOKEN_REVOKED')
    expectProblem(await signIn(service, account.username, account.password), 401, 'INVALID_CREDENTIALS')
    expect((await account.api.get('/api/v1/events')).status).toBe(200)
    expect((await accept(readInviteToken(body.invite_url))).status).toBe(200)
    expect((await signIn(service, account.username, password)).status).toBe(200)
  })

  test('requires an active account; an unknown one is 404', async () => {
    const account = await createAccount(service, 'editor')
    await deactivate(admin, account)
    expectProblem(await admin.post(userPath(account, 'reset-password'), {}), 409, 'INVALID_STATE')
    expectProblem(await admin.post(userPath({ id: 999999 }, 'reset-password'), {}), 404, 'NOT_FOUND')
  })
})

describe('the mail', () => {
  test('of an invitation and of a reset contains the link, which is encrypted while it waits', async () => {
    const mailServer = await mailServerForTest()
    const mailing = await serviceForTest({ environment: { SMTP_URL: mailServer.url } })
    const invited = await invite(mailing.admin)
    const { body } = await mailing.admin.post(userPath(invited, 'reset-password'), {})
    const account = await createAccount(mailing, 'viewer')
    await mailing.admin.post(userPath(account, 'reset-password'), {})
    const received = await mailServer.receive(3)

    const [first, again, reset] = [invited.email, invited.email, account.email].map((to, index) => {
      const mails = received.filter(({ recipients }) => recipients.includes(to))
      return mails.find(({ text }) => index !== 1 || text?.includes(readInviteToken(body.invite_url)))
    })
    expect(first?.subject).toBe('Your account')
    expect(again?.text).toContain(`Your user name is ${invited.username}`)
    expect(again?.html).toContain(`href="${body.invite_url}"`)
    expect(reset?.subject).toBe('Choose a new password')
    expect(reset?.text).toMatch(new RegExp(`${mailing.url}/invite/[\\w-]{43}\n`))
    const stored = readDatabase(mailing, (stored) => JSON.stringify(stored.prepare('select * from mails').all()))
    expect(stored).not.toContain(invited.token)
    expect(stored).not.toContain(readInviteToken(body.invite_url))
    const outbox = await mailing.admin.get('/api/admin/mail/outbox')
    expect(outbox.body.mails.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'account_invite',
      'account_invite',
      'password_reset',
    ])
    for (const mail of outbox.body.mails) expect(mail.text).toContain('••••••')
  })

  test('is not sent for an account with a password, and only super_admins can read it', async () => {
    const count = async () => (await admin.get('/api/admin/mail/outbox')).body.pagination.total
    const before = await count()
    await admin.post('/api/admin/users', { ...newPerson(), role: 'viewer', password })
    expect(await count()).toBe(before)
    const stranger = await createAccount(service, 'admin')
    expect((await stranger.admin.get('/api/admin/mail/outbox')).body.mails).toEqual([])
  })

  test('is stored with the link hidden if there is no mail server', async () => {
    const { token } = await invite(admin)
    const { body } = await admin.get('/api/admin/mail/outbox')
    expect(body.mails[0]).toMatchObject({ kind: 'account_invite', status: 'kept', event_id: null })
    expect(body.mails[0].text).toContain('Choose a password:\n••••••')
    expect(JSON.stringify(body)).not.toContain(token)
  })
})

test('invalid links are limited like failed sign-ins; a valid one still works', async () => {
  const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const { token, username } = await invite(limited.admin)
  const statuses = new Set<number>()
  for (let count = 0; count < 20; count++) statuses.add((await limited.anonymous.get('/api/invite/nothing')).status)
  expect(statuses).toEqual(new Set([404]))
  for (const call of [
    () => limited.anonymous.get('/api/invite/nothing'),
    () => limited.anonymous.post('/api/invite/nothing', { password }),
  ]) {
    expectRateLimited(await call(), 15 * 60)
  }
  expect((await limited.anonymous.get('/invite/nothing')).status).toBe(429)
  expect((await limited.anonymous.get(`/api/invite/${token}`)).status).toBe(200)
  expect((await limited.anonymous.post(`/api/invite/${token}`, { password })).body.username).toBe(username)
})
