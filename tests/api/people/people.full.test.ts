import { describe, expect, test } from 'vitest'
import { permissions } from '../../../contract/access.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { type Account, createAccount, signIn } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { deactivate, invite, newPerson, userPath } from '../../support/fixtures/people.ts'
import {
  createAccountWithFactor,
  generateCode,
  passFirstStep,
  sendSecondStep,
} from '../../support/fixtures/second-factor.ts'
import { createSignIn, refresh } from '../../support/fixtures/sign-ins.ts'
import { serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin } = service
const path = '/api/admin/users'
const password = 'twelve letters'

const loadOwnId = async (client = admin): Promise<number> => (await client.get('/api/auth/session')).body.user.id

describe('an account created with a password', () => {
  test('returns 201, signs in with it and need not change it', async () => {
    const person = newPerson()
    const { status, body, bytes } = await admin.post(path, { ...person, role: 'editor', password })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...{ ...person, id: expect.any(Number), role: 'editor', is_active: true, mustChangePassword: false },
      ...{ has_second_factor: false, has_password: true, invite_url: null, invite_expires_at: null, event_count: 0 },
      ...{ created_at: expect.stringMatching(/^\d{4}-.*Z$/), last_login_at: null },
    })
    expect(bytes.toString()).not.toMatch(/argon2|twelve letters/)
    const signedIn = await signIn(service, person.email, password)
    expect(signedIn.body.user).toMatchObject({ id: body.id, mustChangePassword: false })
    expect((await createClient(service.url, signedIn.body.token).get('/api/admin/events')).status).toBe(200)
  })

  test('requires a user name, a mail address, an existing role and 12 to 128 characters', async () => {
    const person = { ...newPerson(), role: 'viewer', password }
    for (const [change, field] of [
      [{ username: '' }, 'username'],
      [{ username: ' ana' }, 'username'],
      [{ username: 'a\nb' }, 'username'],
      [{ username: 'x'.repeat(101) }, 'username'],
      [{ email: 'nowhere' }, 'email'],
      [{ role: 'owner' }, 'role'],
      [{ role: undefined }, 'role'],
      [{ password: '11 letters.' }, 'password'],
      [{ password: 'x'.repeat(129) }, 'password'],
    ] as const) {
      expectInvalidField(await admin.post(path, { ...person, ...change }), field)
    }
  })

  test('has a unique name and address in any case, also in simultaneous requests', { tags: 'database' }, async () => {
    const person = newPerson()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin.post(path, { ...person, role: 'viewer', password })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const takenIdentities: Array<Record<string, string>> = [
      { username: person.username.toUpperCase() },
      { email: person.email.toUpperCase() },
      // Accounts sign in by name or address, so a name may not equal the address of another account.
      { username: person.email },
    ]
    for (const taken of takenIdentities) {
      const answer = await admin.post(path, { ...newPerson(), role: 'viewer', ...taken })
      expectProblem(answer, 409, 'USER_EXISTS')
      expect(answer.bytes.toString()).not.toContain(person.username)
    }
  })
})

test('the list contains all accounts in pages, with the number of their events', { tags: 'database' }, async () => {
  const account = await createAccount(service, 'admin')
  await createEvent(account.api)
  const { users, pagination } = (await admin.get(`${path}?limit=100`)).body
  const ids = users.map(({ id }: { id: number }) => id)
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
  expect(users.find(({ id }: { id: number }) => id === account.id)).toMatchObject({
    username: account.username,
    role: 'admin',
    event_count: 1,
    last_login_at: expect.stringMatching(/Z$/),
  })
  const second = (await admin.get(`${path}?limit=1&page=2`)).body
  expect(second.users).toEqual([users[1]])
  const { total } = pagination
  expect(second.pagination).toEqual({ page: 2, limit: 1, total, pages: total })
})

describe('changing an account', () => {
  test('changes only the keys present', async () => {
    const account = await createAccount(service, 'admin')
    const { status, body } = await admin.patch(userPath(account), { username: `${account.username}-2` })
    expect(status).toBe(200)
    expect(body).toMatchObject({ username: `${account.username}-2`, email: account.email, role: 'admin' })
    expect((await signIn(service, `${account.username}-2`, account.password)).status).toBe(200)
    expect((await signIn(service, account.username, account.password)).status).toBe(401)
    expect((await account.admin.get('/api/admin/events')).status).toBe(200)
  })

  test('rejects unknown keys and names of other accounts', async () => {
    const [one, other] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
    expectInvalidField(await admin.patch(userPath(one), { password }), 'password')
    expectProblem(await admin.patch(userPath(one), { username: other.username.toUpperCase() }), 409, 'USER_EXISTS')
    expectProblem(await admin.patch(userPath(one), { email: other.email.toUpperCase() }), 409, 'USER_EXISTS')
    expect((await admin.patch(userPath(one), { username: one.username.toUpperCase() })).status).toBe(200)
  })

  test('applies another role from the next request on, for sessions and API tokens', async () => {
    const account = await createAccount(service, 'admin')
    expect((await account.admin.get('/api/admin/settings')).status).toBe(200)
    await admin.patch(userPath(account), { role: 'viewer' })
    expectProblem(await account.admin.get('/api/admin/settings'), 403, 'FORBIDDEN')
    expectProblem(await account.api.post('/api/v1/events', {}), 403, 'FORBIDDEN')
    await admin.patch(userPath(account), { role: 'super_admin' })
    expect((await account.admin.get(path)).status).toBe(200)
  })
})

test('a deactivated account has no access, and is back without its earlier sessions', async () => {
  const account = await createAccount(service, 'editor')
  const event = await createEvent(account.api)
  const gallery = `/api/gallery/${event.slug}/photos`
  const { status, body } = await deactivate(admin, account)
  expect([status, body.is_active]).toEqual([200, false])
  expectProblem(await account.admin.get('/api/admin/events'), 401, 'OWNER_INACTIVE')
  expectProblem(await account.admin.get(gallery), 401, 'OWNER_INACTIVE')
  expectProblem(await account.api.get('/api/v1/events'), 401, 'OWNER_INACTIVE')
  expectProblem(await signIn(service, account.username, account.password), 401, 'INVALID_CREDENTIALS')
  // Its galleries stay open to guests.
  expect((await (await enterAsGuest(service, event)).get(gallery)).status).toBe(200)
  expect((await deactivate(admin, account)).status).toBe(200)
  expect((await admin.patch(userPath(account), { is_active: true })).body.is_active).toBe(true)
  expectProblem(await account.admin.get('/api/admin/events'), 401, 'TOKEN_REVOKED')
  expect((await account.api.get('/api/v1/events')).status).toBe(200)
  expect((await signIn(service, account.username, account.password)).status).toBe(200)
})

test('after a deactivation and a reset, no session is renewed and no second step succeeds', async () => {
  for (const [verb, code] of [
    ['deactivate', 'OWNER_INACTIVE'],
    ['reset-password', 'TOKEN_REVOKED'],
  ] as const) {
    const account = await createAccount(service, 'editor')
    const { refreshToken } = await createSignIn(service, account.username, account.password)
    const guarded = await createAccountWithFactor(service, Date.now())
    const mfaToken = await passFirstStep(service, guarded)
    for (const user of [account, guarded]) expect((await admin.post(userPath(user, verb), {})).status).toBe(200)
    expectProblem(await refresh(service, refreshToken), 401, code)
    expectProblem(await sendSecondStep(service, mfaToken, generateCode(guarded.secret, Date.now() + 30_000)), 401, code)
  }
})

test('a lost second factor can be removed by a super_admin: the password alone signs in', async () => {
  const account = await createAccountWithFactor(service, Date.now())
  expect((await signIn(service, account.username, account.password)).body.mfaRequired).toBe(true)
  const listed = (await admin.get(`${path}?limit=100`)).body.users
  expect(listed.find(({ id }: { id: number }) => id === account.id)).toMatchObject({ has_second_factor: true })
  for (let count = 0; count < 2; count++) {
    const { status, body } = await admin.post(userPath(account, 'remove-second-factor'), {})
    expect([status, body.has_second_factor]).toEqual([200, false])
  }
  expect((await signIn(service, account.username, account.password)).body.token).toEqual(expect.any(String))
})

describe('one super_admin stays', () => {
  test('nobody deactivates or resets their own account, or removes its second factor', async () => {
    await createAccount(service, 'super_admin')
    const own = { id: await loadOwnId() }
    for (const verb of ['deactivate', 'reset-password', 'remove-second-factor'])
      expectProblem(await admin.post(userPath(own, verb), {}), 409, 'OWN_ACCOUNT')
    expectProblem(await admin.patch(userPath(own), { is_active: false }), 409, 'OWN_ACCOUNT')
  })

  test('the last one cannot be demoted; deactivated and invited ones do not count', async () => {
    const alone = await serviceForTest()
    const { body } = await alone.admin.get(path)
    expect(body.users).toMatchObject([{ username: 'admin', role: 'super_admin', has_password: true }])
    const [own] = body.users
    await deactivate(alone.admin, await createAccount(alone, 'super_admin'))
    await invite(alone.admin, { role: 'super_admin' })
    expectProblem(await alone.admin.patch(userPath(own), { role: 'admin' }), 409, 'LAST_SUPER_ADMIN')
    expect((await alone.admin.get(path)).status).toBe(200)

    await createAccount(alone, 'super_admin')
    expect((await alone.admin.patch(userPath(own), { role: 'admin' })).status).toBe(200)
    expectProblem(await alone.admin.get(path), 403, 'FORBIDDEN')
  })

  test('two that demote, deactivate or reset each other at once leave one', { tags: 'database' }, async () => {
    const requests = [
      (client: TestClient, user: { id: number }) => client.patch(userPath(user), { role: 'admin' }),
      (client: TestClient, user: { id: number }) => deactivate(client, user),
      (client: TestClient, user: { id: number }) => client.post(userPath(user, 'reset-password'), {}),
    ]
    const pair = await serviceForTest()
    let first: Pick<Account, 'id' | 'admin'> = { id: await loadOwnId(pair.admin), admin: pair.admin }
    for (const send of requests) {
      const second = await createAccount({ ...pair, admin: first.admin }, 'super_admin')
      const answers = await Promise.all([send(first.admin, second), send(second.admin, first)])
      expect(answers.map(({ status }) => status).sort()[0]).toBe(200)
      const left = readDatabase(pair, (stored) =>
        stored
          .prepare("select id from users where role = 'super_admin' and is_active = 1 and password_hash <> ''")
          .all(),
      ) as Array<{ id: number }>
      expect(left).toHaveLength(1)
      first = left[0]?.id === second.id ? second : first
    }
  })
})

test('the roles are listed with their permissions', async () => {
  const { body } = await admin.get('/api/admin/roles')
  expect(body.roles.map(({ role }: { role: string }) => role)).toEqual(['super_admin', 'admin', 'editor', 'viewer'])
  expect(body.roles[0]).toEqual({ role: 'super_admin', all_events: true, permissions: [...permissions] })
  const viewed = ['photos.view', 'notes.view', 'events.view']
  expect(body.roles[3]).toEqual({ role: 'viewer', all_events: false, permissions: viewed })
})
