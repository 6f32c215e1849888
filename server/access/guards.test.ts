import cookie from '@fastify/cookie'
import type { FastifyContextConfig } from 'fastify'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Permission, Role, Scope } from '../../contract/access.ts'
import { memoryDatabase } from '../../tests/support/database/memory-database.ts'
import { Changes } from '../platform/background/changes.ts'
import type { Config } from '../platform/config.ts'
import { hashToken } from '../platform/hash-token.ts'
import { createHttp, type Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { createAccess } from './access.ts'
import type {} from './api-token-rows.ts'
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

/** Simulates another request that deactivates the account while the body of the tested request arrives. */
function deactivate(name: string): void {
  sqlite.prepare('update users set is_active = 0 where username = ?').run(name)
  ctx.changes.notify('account', null)
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

  test('identifies the caller by an API token', async () => {
    const { bearer, name } = await accountOf('viewer', { scope: 'read' })
    expect(await get({}, bearer)).toEqual({ status: 200, body: { username: name, via: 'header' } })
  })

  test('requires a token', async () => {
    const error = 'Send an API token: Authorization: Bearer prf_live_…'
    expect(await get({}, {})).toEqual({ status: 401, body: { error, code: 'NO_TOKEN' } })
  })

  test('accepts no cookie', async () => {
    const { session } = await accountOf('admin')
    expect(await get({}, { cookie: `admin_token=${session}` })).toMatchObject({
      status: 401,
      body: { code: 'NO_TOKEN' },
    })
  })

  test.each<[Scope, Scope, boolean]>([
    ['read', 'read', true],
    ['read', 'write', false],
    ['read', 'admin', false],
    ['write', 'read', true],
    ['write', 'write', true],
    ['write', 'admin', false],
    ['admin', 'admin', true],
  ])('with a token of scope %s a route of scope %s opens: %o', async (granted, required, opens) => {
    const { bearer } = await accountOf('admin', { scope: granted })
    const { status, body } = await get({ scope: required }, bearer)
    if (opens) expect(status).toBe(200)
    else
      expect({ status, body }).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE', required, granted } })
  })

  test.each<[Role, Permission | Permission[] | null, boolean]>([
    ['viewer', null, true],
    ['viewer', 'photos.view', true],
    ['viewer', 'photos.edit', false],
    ['viewer', ['photos.view', 'photos.edit'], false],
    ['viewer', ['photos.view', 'events.view'], true],
    ['editor', ['photos.view', 'photos.edit'], true],
  ])('for a %s a route with the permission %o opens: %o', async (role, permission, opens) => {
    const { bearer } = await accountOf(role)
    const { status, body } = await get({ permission }, bearer)
    if (opens) expect(status).toBe(200)
    else expect({ status, body }).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  })

  test.each<[Role, boolean]>([
    ['super_admin', true],
    ['admin', false],
  ])('for a %s a route for super_admin opens: %o', async (role, opens) => {
    const { bearer } = await accountOf(role)
    const { status, body } = await get({ role: 'super_admin' }, bearer)
    if (opens) expect(status).toBe(200)
    else expect({ status, body }).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  })

  test('rejects an account that must change its password, unless the route allows it', async () => {
    const { bearer } = await accountOf('admin', { mustChangePassword: true })
    expect(await get({}, bearer)).toMatchObject({ status: 403, body: { code: 'MUST_CHANGE_PASSWORD' } })
    expect(await get({ isOpenBeforePasswordChange: false }, bearer)).toMatchObject({ status: 403 })
    expect(await get({ isOpenBeforePasswordChange: true }, bearer)).toMatchObject({ status: 200 })
  })

  test.each([
    ['GET', 200],
    ['POST', 401],
  ] as const)('%s returns %i when the account is deactivated while the body arrives', async (method, status) => {
    const { bearer, name } = await accountOf('admin')
    const app = await serverWith(guardPublicApi, (api) => {
      api.addHook('preValidation', async () => deactivate(name))
      route(api, method, { scope: 'read', permission: null })
    })
    const reply = await app.inject({ method, url: '/', headers: bearer })
    expect(reply.statusCode).toBe(status)
    if (status === 401) expect(reply.json()).toMatchObject({ code: 'OWNER_INACTIVE' })
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

  test.each<[FastifyContextConfig, string]>([
    [{ permission: null }, 'GET /things states no scope'],
    [{ scope: 'read' }, 'GET /things states no permission'],
    [{}, 'GET /things states no scope'],
  ])('a route with only %o does not start', async (config, message) => {
    await expect(serverWith(guardPublicApi, (api) => route(api, 'GET', config, '/things'))).rejects.toThrow(message)
  })

  test('a route without any configuration fails at startup', async () => {
    await expect(serverWith(guardPublicApi, (api) => void api.get('/', async () => 'open'))).rejects.toThrow(
      'GET / states no scope',
    )
  })

  test('an OPTIONS route needs no configuration', async () => {
    await expect(serverWith(guardPublicApi, (api) => route(api, 'OPTIONS', {}))).resolves.toBeDefined()
  })
})

describe('the admin API', () => {
  /** Returns status and body of a request to a route without a required permission. */
  async function send(method: 'GET' | 'POST', headers: Record<string, string>) {
    const app = await serverWith(guardAdminApi, (api) => route(api, method, { permission: null }))
    const reply = await app.inject({ method, url: '/', headers })
    return { status: reply.statusCode, body: reply.json() }
  }

  test('requires a session', async () => {
    const error = 'Sign in as an admin first.'
    expect(await send('GET', {})).toEqual({ status: 401, body: { error, code: 'NO_TOKEN' } })
  })

  test('accepts a session in the header or the cookie, and prefers the header', async () => {
    const [first, second] = [await accountOf('viewer'), await accountOf('viewer')]
    const authorization = `Bearer ${first.session}`
    const cookies = `admin_token=${second.session}`
    const byHeader = { username: first.name, via: 'header' }
    const byCookie = { username: second.name, via: 'cookie' }
    expect((await send('GET', { authorization })).body).toEqual(byHeader)
    expect((await send('GET', { cookie: cookies })).body).toEqual(byCookie)
    expect((await send('GET', { authorization, cookie: cookies })).body).toEqual(byHeader)
  })

  test.each([
    ['from our own page', { 'sec-fetch-site': 'same-origin' }, 200],
    ['from a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['from the public address', { origin: 'https://photos.example.com' }, 200],
    ['from another address', { origin: 'https://other.example.com' }, 403],
  ])('a write with the cookie %s returns %i', async (_name, headers, status) => {
    const { session } = await accountOf('admin')
    const reply = await send('POST', { cookie: `admin_token=${session}`, ...(headers as Record<string, string>) })
    expect(reply.status).toBe(status)
    if (status === 403) expect(reply.body).toMatchObject({ code: 'CROSS_ORIGIN' })
  })

  test('the scope of a route applies to API tokens, not to sessions', async () => {
    const { session, name } = await accountOf('viewer')
    const app = await serverWith(guardAdminApi, (api) => route(api, 'GET', { scope: 'admin', permission: null }))
    const reply = await app.inject({ url: '/', headers: { authorization: `Bearer ${session}` } })
    expect(reply.json()).toEqual({ username: name, via: 'header' })
  })

  test('a write with the session in the header may come from any site', async () => {
    const { session } = await accountOf('admin')
    const headers = { authorization: `Bearer ${session}`, 'sec-fetch-site': 'cross-site' }
    expect(await send('POST', headers)).toMatchObject({ status: 200 })
  })

  test('a route without a permission fails at startup', async () => {
    await expect(serverWith(guardAdminApi, (api) => route(api, 'POST', { scope: 'read' }))).rejects.toThrow(
      'POST / states no permission',
    )
  })
})
