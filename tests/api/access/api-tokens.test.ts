import { describe, expect, test, vi } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin } = service

const create = (body: Record<string, unknown> = {}, client = admin) =>
  client.post('/api/admin/api-tokens', { name: 'Lightroom', scopes: ['write'], ...body })
const list = async (client = admin) => (await client.get('/api/admin/api-tokens')).body as Array<{ id: number }>

describe('creating an API token', () => {
  test('returns 201 with prf_live_ and 32 random base64url characters', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body.token).toMatch(/^prf_live_[A-Za-z0-9_-]{32}$/)
    expect(body).toMatchObject({ name: 'Lightroom', scopes: ['write'], expires_at: null, last_used_at: null })
    expect((await create()).body.token).not.toBe(body.token)
  })

  test('shows the token once and stores only its SHA-256', async () => {
    const { body } = await create()
    expect(JSON.stringify(await list())).not.toContain(body.token)
    // The preview shows four random characters; the other 28 stay secret.
    expect(await list()).toContainEqual(expect.objectContaining({ token_preview: body.token.slice(0, 13) }))
    const rows = readDatabase(service, (stored) => stored.prepare('select * from api_tokens').all())
    expect(JSON.stringify(rows)).not.toContain(body.token)
  })

  test('accepts a name of 1 to 100 characters', async () => {
    expect((await create({ name: 'x'.repeat(100) })).status).toBe(201)
    expectInvalidField(await create({ name: 'x'.repeat(101) }), 'name')
    expectInvalidField(await create({ name: '' }), 'name')
    expectInvalidField(await create({ name: undefined }), 'name')
  })

  test('accepts an array of known scopes', async () => {
    expectInvalidField(await create({ scopes: [] }), 'scopes')
    expectInvalidField(await create({ scopes: ['read', 'everything'] }), 'scopes.1')
    expectInvalidField(await create({ scopes: undefined }), 'scopes')
    expect((await create({ scopes: ['read', 'write', 'admin'] })).status).toBe(201)
  })

  test('accepts an expiry in the future: UTC without a zone, the end of the day for a bare date', async () => {
    const expiryOf = async (expires_at: string) => (await create({ expires_at })).body.expires_at
    expect(await expiryOf('2999-05-01T12:00:00')).toBe('2999-05-01T12:00:00.000Z')
    expect(await expiryOf('2999-05-01T12:00:00+02:00')).toBe('2999-05-01T10:00:00.000Z')
    expect(await expiryOf('2999-05-01')).toMatch(/^2999-05-01T23:59:59/)
    expectInvalidField(await create({ expires_at: '2020-01-01' }), 'expires_at')
    expectInvalidField(await create({ expires_at: 'tomorrow' }), 'expires_at')
  })
})

describe('listing and revoking', () => {
  test('an account sees and revokes only its own tokens', async () => {
    const other = await createAccount(service, 'viewer')
    const { body: mine } = await create()
    expect((await list(other.admin)).map(({ id }) => id)).not.toContain(mine.id)
    expectProblem(await other.admin.delete(`/api/admin/api-tokens/${mine.id}`), 404, 'NOT_FOUND')
    expect((await list()).map(({ id }) => id)).toContain(mine.id)
  })

  test('revoking returns the id', async () => {
    const { body } = await create()
    const answer = await admin.delete(`/api/admin/api-tokens/${body.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ id: body.id, revoked: true })
    expectProblem(await admin.delete('/api/admin/api-tokens/999999'), 404, 'NOT_FOUND')
  })

  test('the use of a token is recorded', async () => {
    const { body } = await create()
    await createClient(service.url, body.token).get('/api/v1/events')
    await vi.waitFor(async () => {
      expect(await list()).toContainEqual(
        expect.objectContaining({ id: body.id, last_used_at: expect.stringMatching(/Z$/) }),
      )
    }, 60_000)
  })
})

describe('the tokens of all accounts', () => {
  test('are listed for super_admins with owner and last use, and one or all of an account can be revoked', async () => {
    const owner = await createAccount(service, 'admin')
    const make = async (name: string) => (await create({ name }, owner.admin)).body
    const [first, second, third] = [await make('first'), await make('second'), await make('third')]
    expect((await createClient(service.url, first.token).get('/api/v1/events')).status).toBe(200)

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
      expectProblem(await createClient(service.url, token).get('/api/v1/events'), 401, 'TOKEN_REVOKED')
    }
  })
})
