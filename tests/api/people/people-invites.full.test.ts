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
  test('gets a link for 7 days, and signs in only after it has chosen a password by the link, once', async () => {
    const person = newPerson()
    const { status, body } = await admin.post('/api/admin/users', { ...person, role: 'viewer' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...person, has_password: false, mustChangePassword: false, is_active: true })
    expect(body.invite_url).toMatch(new RegExp(`^${service.url}/invite/[\\w-]{43}$`))
    expect(Date.parse(body.invite_expires_at) - Date.now()).toBeGreaterThan(7 * day - 60_000)
    expect(Date.parse(body.invite_expires_at) - Date.now()).toBeLessThanOrEqual(7 * day)
    for (const guess of ['x', ' ', 'null', password])
      expectProblem(await signIn(service, person.username, guess), 401, 'INVALID_CREDENTIALS')

    const token = readInviteToken(body.invite_url)
    const stored = readDatabase(service, (stored) =>
      ['invites', 'users', 'mails'].map((table) => JSON.stringify(stored.prepare(`select * from ${table}`).all())),
    )
    expect(stored.join()).toContain(createHash('sha256').update(token).digest('hex'))
    expect(stored.join()).not.toContain(token)
    const link = await anonymous.get(`/api/invite/${token}`)
    expect([link.status, link.body]).toEqual([200, { ...person, expires_at: expect.stringMatching(/Z$/) }])
    expectInvalidField(await accept(token, { password: '11 letters.' }), 'password')
    expectInvalidField(await accept(token, {}), 'password')
    const accepted = await accept(token)
    expect([accepted.status, accepted.body]).toEqual([200, { success: true, username: person.username }])
    expect(accepted.headers.getSetCookie()).toEqual([])
    const signedIn = await signIn(service, person.username, password)
    expect(signedIn.body.user).toMatchObject({ id: body.id, mustChangePassword: false })
    await expectGone(token)
    expect((await signIn(service, person.username, password)).status).toBe(200)
  })

  test('gets one password if several requests use the link at once', { tags: 'database' }, async () => {
    const { username, token } = await invite(admin)
    const passwords = ['first password', 'second password', 'third password', 'fourth password']
    const answers = await Promise.all(passwords.map((one) => accept(token, { password: one })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    const chosen = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect((await signIn(service, username, chosen)).status).toBe(200)
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
    const user = list.users.find((one: { id: number }) => one.id === id)
    expect(user).toMatchObject({ has_password: false, invite_expires_at: null })
  })

  test('when the account is deactivated, has another address, password or link', async () => {
    const [inactive, moved, chosen, reset] = await Promise.all([1, 2, 3, 4].map(() => invite(admin)))
    if (!inactive || !moved || !chosen || !reset) throw new Error('Nobody was invited')
    await deactivate(admin, inactive)
    await expectGone(inactive.token)
    await admin.patch(userPath(inactive), { is_active: true })
    const { body } = await admin.patch(userPath(moved), { email: newPerson().email })
    expect(body.invite_expires_at).toBeNull()
    await withAppContext(service, async (ctx) => {
      const user = (await findUser(ctx.db, chosen.id)) as User
      await setPassword(ctx, user, 'from the command line', { mustChangePassword: true })
    })
    const { body: again } = await admin.post(userPath(reset, 'reset-password'), {})
    for (const { token } of [inactive, moved, chosen, reset]) await expectGone(token)
    expect((await accept(readInviteToken(again.invite_url))).status).toBe(200)
  })
})

test('a reset ends sessions and password of an active account, and returns a link to choose another', async () => {
  const account = await createAccount(service, 'editor')
  const { status, body } = await admin.post(userPath(account, 'reset-password'), {})
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: account.id, has_password: false, invite_url: expect.stringContaining('/invite/') })
  expectProblem(await account.admin.get('/api/admin/events'), 401, 'TOKEN_REVOKED')
  expectProblem(await signIn(service, account.username, account.password), 401, 'INVALID_CREDENTIALS')
  expect((await account.api.get('/api/v1/events')).status).toBe(200)
  expect((await accept(readInviteToken(body.invite_url))).status).toBe(200)
  expect((await signIn(service, account.username, password)).status).toBe(200)
  await deactivate(admin, account)
  expectProblem(await admin.post(userPath(account, 'reset-password'), {}), 409, 'INVALID_STATE')
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

    const find = (to: string, text = '') =>
      received.find((mail) => mail.recipients.includes(to) && mail.text?.includes(text))
    expect(find(invited.email, invited.token)?.subject).toBe('Your account at Proofroom')
    const again = find(invited.email, readInviteToken(body.invite_url))
    expect(again?.text).toContain(`Your user name is ${invited.username}`)
    expect(again?.html).toContain(`href="${body.invite_url}"`)
    const reset = find(account.email)
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

  test('is not written for an account with a password; without a mail server it hides the link', async () => {
    const stranger = await createAccount(service, 'admin')
    const { token } = await invite(admin)
    await admin.post('/api/admin/users', { ...newPerson(), role: 'viewer', password })
    const { body } = await admin.get('/api/admin/mail/outbox')
    expect(body.mails[0]).toMatchObject({ kind: 'account_invite', status: 'kept', event_id: null })
    expect(body.mails[0].text).toContain('Choose a password:\n••••••')
    expect(JSON.stringify(body)).not.toContain(token)
    expect((await stranger.admin.get('/api/admin/mail/outbox')).body.mails).toEqual([])
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
