import { expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, url } = service

const create = (body: Record<string, unknown> = {}, client = admin) =>
  client.post('/api/admin/api-tokens', { name: 'Lightroom', scopes: ['write'], ...body })
const list = async (client = admin) => (await client.get('/api/admin/api-tokens')).body as Array<{ id: number }>

test('a new token has prf_live_ and 32 random base64url characters, is shown once and stored as SHA-256', async () => {
  const { status, body } = await create()
  expect(status).toBe(201)
  expect(body.token).toMatch(/^prf_live_[A-Za-z0-9_-]{32}$/)
  expect(body).toMatchObject({ name: 'Lightroom', scopes: ['write'], expires_at: null, last_used_at: null })
  expect((await create()).body.token).not.toBe(body.token)
  const listed = await list()
  expect(JSON.stringify(listed)).not.toContain(body.token)
  // The preview shows four random characters; the other 28 stay secret.
  expect(listed).toContainEqual(expect.objectContaining({ token_preview: body.token.slice(0, 13) }))
  const rows = readDatabase(service, (stored) => stored.prepare('select * from api_tokens').all())
  expect(JSON.stringify(rows)).not.toContain(body.token)
})

test('a token has a name of 1 to 100 characters, known scopes and an expiry in the future or none', async () => {
  for (const name of ['x'.repeat(101), '', undefined]) expectInvalidField(await create({ name }), 'name')
  for (const scopes of [[], undefined]) expectInvalidField(await create({ scopes }), 'scopes')
  expectInvalidField(await create({ scopes: ['read', 'everything'] }), 'scopes.1')
  expect((await create({ name: 'x'.repeat(100), scopes: ['read', 'write', 'admin'] })).status).toBe(201)
  // UTC without a zone, the end of the day for a date.
  const expiryOf = async (expires_at: string) => (await create({ expires_at })).body.expires_at
  expect(await expiryOf('2999-05-01T12:00:00')).toBe('2999-05-01T12:00:00.000Z')
  expect(await expiryOf('2999-05-01T12:00:00+02:00')).toBe('2999-05-01T10:00:00.000Z')
  expect(await expiryOf('2999-05-01')).toMatch(/^2999-05-01T23:59:59/)
  for (const expires_at of ['2020-01-01', 'tomorrow']) {
    expectInvalidField(await create({ expires_at }), 'expires_at')
  }
})

test('an account sees and revokes only its own tokens, and revocation ends a used token at once', async () => {
  const other = await createAccount(service, 'viewer')
  const { body: mine } = await create()
  expect((await list(other.admin)).map(({ id }) => id)).not.toContain(mine.id)
  expectProblem(await other.admin.delete(`/api/admin/api-tokens/${mine.id}`), 404, 'NOT_FOUND')
  const client = createClient(url, mine.token)
  expect((await client.get('/api/v1/events')).status).toBe(200)
  const used = expect.objectContaining({ id: mine.id, last_used_at: expect.stringMatching(/Z$/) })
  await expect.poll(() => list()).toContainEqual(used)
  const answer = await admin.delete(`/api/admin/api-tokens/${mine.id}`)
  expect([answer.status, answer.body]).toEqual([200, { id: mine.id, revoked: true }])
  expectProblem(await client.get('/api/v1/events'), 401, 'TOKEN_REVOKED')
  expectProblem(await admin.delete('/api/admin/api-tokens/999999'), 404, 'NOT_FOUND')
})

test('super_admins list the tokens of all accounts and revoke one or all of them', async () => {
  const owner = await createAccount(service, 'admin')
  const make = async (name: string) => (await create({ name }, owner.admin)).body
  const [first, second, third] = [await make('first'), await make('second'), await make('third')]
  expect((await createClient(url, first.token).get('/api/v1/events')).status).toBe(200)

  const listAll = async () => {
    const { body } = await admin.get('/api/admin/users/api-tokens?limit=100')
    return body.tokens.filter(({ id }: { id: number }) => [first.id, second.id, third.id].includes(id))
  }
  await expect.poll(listAll).toMatchObject([
    { id: third.id, name: 'third', scopes: ['write'], is_active: true },
    { id: second.id, last_used_at: null },
    { id: first.id, last_used_at: expect.any(String) },
  ])
  expect(JSON.stringify(await listAll())).not.toContain(first.token)

  const revoke = (id: number) => admin.delete(`/api/admin/users/api-tokens/${id}`)
  expect((await revoke(second.id)).body).toEqual({ id: second.id, revoked: true })
  expectProblem(await revoke(second.id), 404, 'NOT_FOUND')
  const revokeAll = () => admin.post(`/api/admin/users/${owner.id}/revoke-tokens`, {})
  expect((await revokeAll()).body).toEqual({ id: owner.id, revoked_count: 3 })
  expect((await revokeAll()).body.revoked_count).toBe(0)
  expect(await listAll()).toEqual([])
  for (const { token } of [first, second, third]) {
    expectProblem(await createClient(url, token).get('/api/v1/events'), 401, 'TOKEN_REVOKED')
  }
})

test('GET /me names the account, its permissions and the scope of the token', async () => {
  const editor = await createAccount(service, 'editor')
  const client = createClient(url, await createApiToken(editor.admin, ['write']))
  const { id, username, role, permissions } = (await editor.admin.get('/api/auth/session')).body.user
  const scope = { name: 'write', scopes: ['write'], reads_notes: true, expires_at: null }
  expect((await client.get('/api/v1/me')).body).toEqual({
    user: { id, username, role, permissions },
    token: { id: expect.any(Number), ...scope, created_at: expect.any(String) },
  })
})
