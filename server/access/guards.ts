import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Permission, Role, Scope } from '../../contract/access.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AccessContext } from './access.ts'
import type { AccountCaller } from './callers.ts'
import { adminCookie, parseBearerToken } from './cookies.ts'
import { canReadNotes, hasPermission, scopeCovers } from './roles.ts'
import { assertCookieWrite, isWrite } from './same-origin-hook.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that an API token must have at least. */
    scope?: Scope
    /** The permissions that the role of the caller must have; null requires none. Guarded routes must set this key. */
    permission?: Permission | Permission[] | null
    /** The role that the caller must have, for routes that no permission covers. */
    role?: Role
    /** Whether the route works even if the account must first change its password. */
    isOpenBeforePasswordChange?: boolean
  }
  interface FastifyRequest {
    /** Set by the guards; only guarded routes may read it. */
    caller: AccountCaller
    /** Checks the caller again, for example after a long upload. Throws what the guard throws. */
    admitAgain: () => Promise<AccountCaller>
  }
}

/** Requires an API token on every route of the plugin. */
export function guardPublicApi(app: Http, { access }: AccessContext): void {
  app.addHook('onRoute', (route) => requireStated(route, ['scope', 'permission']))
  guard(app, (request) => {
    const token = parseBearerToken(request.headers.authorization)
    if (!token) throw new AppError('NO_TOKEN', { text: 'Send an API token: Authorization: Bearer prf_live_…' })
    return access.apiToken(token)
  })
}

/** Requires an admin session on every route of the plugin, as Bearer token or cookie. */
export function guardAdminApi(app: Http, { access, config }: AccessContext): void {
  app.addHook('onRoute', (route) => requireStated(route, ['permission']))
  guard(app, async (request) => {
    const bearer = parseBearerToken(request.headers.authorization)
    const token = bearer ?? request.cookies[adminCookie]
    if (!token) throw new AppError('NO_TOKEN', { text: 'Sign in as an admin first.' })
    const caller = await access.admin(token, bearer ? 'header' : 'cookie')
    if (caller.via === 'cookie') assertCookieWrite(request, config.publicUrl)
    return caller
  })
}

/**
 * Checks writes again after the body was received, which may take long. Routes that stream their body call `admitAgain`
 * themselves.
 */
function guard(app: Http, callerOf: (request: FastifyRequest) => Promise<AccountCaller>): void {
  app.decorateRequest('admitAgain', async function (this: FastifyRequest) {
    admit(this, await callerOf(this))
    return this.caller
  })
  app.addHook('onRequest', async (request) => admit(request, await callerOf(request)))
  app.addHook('preHandler', async (request) => {
    if (isWrite(request)) await request.admitAgain()
  })
}

function admit(request: FastifyRequest, caller: AccountCaller): void {
  const { scope, permission, role, isOpenBeforePasswordChange } = request.routeOptions.config
  if (caller.user.must_change_password === 1 && !isOpenBeforePasswordChange) throw new AppError('MUST_CHANGE_PASSWORD')
  if (scope && caller.scope && !scopeCovers(caller.scope, scope)) {
    throw new AppError('INSUFFICIENT_SCOPE', { body: { required: scope, granted: caller.scope } })
  }
  const needed = [permission ?? []].flat()
  if (!needed.every((one) => hasPermission(caller.user.role, one))) throw new AppError('FORBIDDEN')
  if (needed.includes('notes.view') && !canReadNotes(caller)) {
    throw new AppError('FORBIDDEN', {
      text: 'This API token cannot read private notes. Make a token with the option “Reads private notes” (reads_notes).',
    })
  }
  if (role && caller.user.role !== role) throw new AppError('FORBIDDEN')
  request.caller = caller
}

/** Throws at startup if a guarded route lacks any of the keys. */
function requireStated(route: RouteOptions, keys: Array<'scope' | 'permission'>): void {
  if (route.method === 'OPTIONS') return
  for (const key of keys) {
    if (route.config?.[key] === undefined) throw new Error(`${String(route.method)} ${route.url} states no ${key}`)
  }
}
