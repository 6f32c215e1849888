import cookie from '@fastify/cookie'
import type { FastifyContextConfig } from 'fastify'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Role, Scope } from '../../contract/access.ts'
import { memoryDatabase } from '../../tests/support/database/memory-database.ts'
import { Changes } from '../platform/background/changes.ts'
import type { Config } from '../platform/configuration/config.ts'
import { createHttp, type Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { hashToken } from '../platform/security/hash-token.ts'
import { createAccess } from './access.ts'
import type {} from './api-tokens/api-token-rows.ts'
import { guardAdminApi, guardPublicApi } from './guards.ts'
import { startFamily } from './refresh-families.ts'

const log = pino({ level: 'silent' })
const { db, sqlite } = await memoryDatabase()
const ctx = {
  db,
  database: { kind: 'sqlite' },
  changes: new Changes(),
  clock: { now: () => Date.now() },
  secrets: { jwtSecret: 'a secret of at least 32 characters' },
  config: { rateLimit: false, publicUrl: 'https://photos.example.com' },
  log,
} as unknown as PlatformContext
const guarded = { ...ctx, access: createAccess(ctx) }

let accounts = 0

/** Stores an account. Returns its API token of this scope and its admin session. */
async function accountOf(role: Role, { scope = 'admin' as Scope, mustChangePassword = false } = {}) {
  const name = `account${++accounts}`
  const user = await db
    .insertInto('users')
    .values({
      username: name,
      username_key: name,
      email: `${name}@example.com`,
      email_key: `${name}@example.com`,
      password_hash: '',
      role,
      must_change_password: mustChangePassword ? 1 : 0,
      is_active: 1,
      session_version: 1,
      created_at: 0,
      last_login_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const apiToken = `prf_live_${name}`
  await db
    .insertInto('api_tokens')
    .values({
      user_id: user.id,
      name,
      token_hash: hashToken(apiToken),
      token_preview: name,
      scope,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_at: 0,
    })
    .execute()
  const session = guarded.access.signAdminSession(await startFamily(ctx, user))
  return { name, apiToken, session, bearer: { authorization: `Bearer ${apiToken}` } }
}

/** Returns a server whose routes have this guard. */
async function serverWith(guard: typeof guardPublicApi, addRoutes: (app: Http) => void): Promise<Http> {
  const http = createHttp({ trustProxy: false } as unknown as Config, log)
  onTestFinished(() => http.close())
  await http.register(cookie)
  await http.register(async (app) => {
    guard(app as unknown as Http, guarded)
    addRoutes(app as unknown as Http)
  })
  await http.ready()
  return http
}

const route = (app: Http, method: 'GET' | 'POST' | 'OPTIONS', config: FastifyContextConfig, url = '/') =>
  app.route({
    method,
    url,
    config,
    handler: async ({ caller: { user, via } }) => ({ username: user.username, via }),
  })

describe('the public API', () => {
  /** Returns status and body of a GET request to a route with this configuration. */
  async function get(config: FastifyContextConfig, headers: Record<string, string>) {
    const app = await serverWith(guardPublicApi, (api) =>
      route(api, 'GET', { scope: 'read', permission: null, ...config }),
    )
    const reply = await app.inject({ url: '/', headers })
    return { status: reply.statusCode, body: reply.json() }
  }

  test('identifies the caller by an API token, and accepts no cookie', async () => {
    const { bearer, name, session } = await accountOf('viewer', { scope: 'read' })
    expect(await get({}, bearer)).toEqual({ status: 200, body: { username: name, via: 'header' } })
    const error = 'Send an API token: Authorization: Bearer prf_live_…'
    for (const headers of [{}, { cookie: `admin_token=${session}` }]) {
      expect(await get({}, headers)).toEqual({ status: 401, body: { error, code: 'NO_TOKEN' } })
    }
  })

  test('a route is open to its scope and wider ones', async () => {
    const cases: Array<[granted: Scope, required: Scope, opens: boolean]> = [
      ['read', 'read', true],
      ['read', 'write', false],
      ['read', 'admin', false],
      ['write', 'read', true],
      ['write', 'write', true],
      ['write', 'admin', false],
      ['admin', 'admin', true],
    ]
    for (const [granted, required, opens] of cases) {
      const { bearer } = await accountOf('admin', { scope: granted })
      const problem = { status: 403, body: { code: 'INSUFFICIENT_SCOPE', required, granted } }
      const answer = await get({ scope: required }, bearer)
      expect(answer, `${granted} on ${required}`).toMatchObject(opens ? { status: 200 } : problem)
    }
  })

  test('a route is open to its permissions and its role', async () => {
    const cases: Array<[role: Role, config: FastifyContextConfig, opens: boolean]> = [
      ['viewer', { permission: null }, true],
      ['viewer', { permission: 'photos.view' }, true],
      ['viewer', { permission: 'photos.edit' }, false],
      ['viewer', { permission: ['photos.view', 'photos.edit'] }, false],
      ['viewer', { permission: ['photos.view', 'events.view'] }, true],
      ['editor', { permission: ['photos.view', 'photos.edit'] }, true],
      ['super_admin', { role: 'super_admin' }, true],
      ['admin', { role: 'super_admin' }, false],
    ]
    for (const [role, config, opens] of cases) {
      const { bearer } = await accountOf(role)
      const answer = await get(config, bearer)
      const problem = { status: 403, body: { code: 'FORBIDDEN' } }
      expect(answer, `${role} on ${JSON.stringify(config)}`).toMatchObject(opens ? { status: 200 } : problem)
    }
  })

  test('a token reads private notes only if it was made for that', async () => {
    const { bearer, name } = await accountOf('admin')
    const problem = { status: 403, body: { code: 'FORBIDDEN', error: expect.stringContaining('(reads_notes)') } }
    expect(await get({ permission: 'notes.view' }, bearer)).toMatchObject(problem)
    expect(await get({ permission: 'photos.view' }, bearer)).toMatchObject({ status: 200 })
    sqlite
      .prepare('update api_tokens set reads_notes = 1 where user_id = (select id from users where username = ?)')
      .run(name)
    ctx.changes.notify('api-token', null)
    expect(await get({ permission: 'notes.view' }, bearer)).toMatchObject({ status: 200 })
  })

  test('rejects an account that must change its password, unless the route allows it', async () => {
    const { bearer } = await accountOf('admin', { mustChangePassword: true })
    expect(await get({}, bearer)).toMatchObject({ status: 403, body: { code: 'MUST_CHANGE_PASSWORD' } })
    expect(await get({ isOpenBeforePasswordChange: false }, bearer)).toMatchObject({ status: 403 })
    expect(await get({ isOpenBeforePasswordChange: true }, bearer)).toMatchObject({ status: 200 })
  })

  test('a write is rejected, and no read, when the account is deactivated while the body arrives', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { bearer, name } = await accountOf('admin')
      const app = await serverWith(guardPublicApi, (api) => {
        // As if another request deactivated the account.
        api.addHook('preValidation', async () => {
          sqlite.prepare('update users set is_active = 0 where username = ?').run(name)
          ctx.changes.notify('account', null)
        })
        route(api, method, { scope: 'read', permission: null })
      })
      const reply = await app.inject({ method, url: '/', headers: bearer })
      const expected = method === 'GET' ? [200, undefined] : [401, 'OWNER_INACTIVE']
      expect([reply.statusCode, reply.json().code]).toEqual(expected)
    }
  })

  test('a route can check its caller again', async () => {
    const { bearer, name } = await accountOf('viewer')
    const app = await serverWith(guardPublicApi, (api) => {
      api.get('/', { config: { scope: 'read', permission: null } }, async (request) => {
        const { user } = await request.admitAgain()
        sqlite.prepare("update users set role = 'admin' where username = ?").run(name)
        ctx.changes.notify('account', null)
        return [user.role, (await request.admitAgain()).user.role, request.caller.user.role]
      })
    })
    expect((await app.inject({ url: '/', headers: bearer })).json()).toEqual(['viewer', 'admin', 'admin'])
  })

  test('a route without scope or permission does not start, except OPTIONS', async () => {
    const start = (config: FastifyContextConfig, method: 'GET' | 'OPTIONS' = 'GET') =>
      serverWith(guardPublicApi, (api) => route(api, method, config, '/things'))
    await expect(start({ permission: null })).rejects.toThrow('GET /things states no scope')
    await expect(start({ scope: 'read' })).rejects.toThrow('GET /things states no permission')
    await expect(start({})).rejects.toThrow('GET /things states no scope')
    const unconfigured = serverWith(guardPublicApi, (api) => void api.get('/', async () => 'open'))
    await expect(unconfigured).rejects.toThrow('GET / states no scope')
    await expect(start({}, 'OPTIONS')).resolves.toBeDefined()
  })
})

describe('the admin API', () => {
  /** Returns status and body of a request to a route without a required permission. */
  async function send(method: 'GET' | 'POST', headers: Record<string, string>) {
    const app = await serverWith(guardAdminApi, (api) => route(api, method, { permission: null }))
    const reply = await app.inject({ method, url: '/', headers })
    return { status: reply.statusCode, body: reply.json() }
  }

  test('accepts a session in the header or the cookie, and prefers the header', async () => {
    const error = 'Sign in as an admin first.'
    expect(await send('GET', {})).toEqual({ status: 401, body: { error, code: 'NO_TOKEN' } })
    const [first, second] = [await accountOf('viewer'), await accountOf('viewer')]
    const authorization = `Bearer ${first.session}`
    const cookies = `admin_token=${second.session}`
    const byHeader = { username: first.name, via: 'header' }
    const byCookie = { username: second.name, via: 'cookie' }
    expect((await send('GET', { authorization })).body).toEqual(byHeader)
    expect((await send('GET', { cookie: cookies })).body).toEqual(byCookie)
    expect((await send('GET', { authorization, cookie: cookies })).body).toEqual(byHeader)
  })

  test('a write with the cookie must come from a page of the service, a write with the header may come from anywhere', async () => {
    const { session } = await accountOf('admin')
    const cases: Array<[page: Record<string, string>, status: number]> = [
      [{ 'sec-fetch-site': 'same-origin' }, 200],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'https://photos.example.com' }, 200],
      [{ origin: 'https://other.example.com' }, 403],
    ]
    for (const [page, status] of cases) {
      const reply = await send('POST', { cookie: `admin_token=${session}`, ...page })
      expect(reply.status, JSON.stringify(page)).toBe(status)
      if (status === 403) expect(reply.body).toMatchObject({ code: 'CROSS_ORIGIN' })
      expect(await send('POST', { authorization: `Bearer ${session}`, ...page })).toMatchObject({ status: 200 })
    }
  })

  test('the scope of a route applies to API tokens, not to sessions', async () => {
    const { session, name } = await accountOf('viewer')
    const app = await serverWith(guardAdminApi, (api) => route(api, 'GET', { scope: 'admin', permission: null }))
    const reply = await app.inject({ url: '/', headers: { authorization: `Bearer ${session}` } })
    expect(reply.json()).toEqual({ username: name, via: 'header' })
  })

  test('a route without a permission fails at startup', async () => {
    const started = serverWith(guardAdminApi, (api) => route(api, 'POST', { scope: 'read' }))
    await expect(started).rejects.toThrow('POST / states no permission')
  })
})
