import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Permission, Role, Scope } from '../../contract/access.ts'
import { AppError } from '../platform/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import type { AccountCaller } from './callers.ts'
import { adminCookie, bearerOf } from './cookies.ts'
import { mayDo, scopeCovers } from './roles.ts'
import { assertCookieWrite, isWrite } from './same-origin.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Public API: the smallest scope that opens the route. */
    scope?: Scope
    /** What the caller's role must allow, all of several; null: any account. Every guarded route states it. */
    permission?: Permission | Permission[] | null
    /** The one role that opens the route, whatever it may do besides: for what no permission stands for. */
    role?: Role
    /** Stays open to an account that must change its password first. */
    isOpenBeforePasswordChange?: boolean
  }
  interface FastifyRequest {
    /** Set by the guard of the API family; only routes behind one may read it. */
    caller: AccountCaller
    /**
     * Checks the caller anew, after something that may have taken minutes or hours. Throws what the guard throws.
     * Only routes behind a guard may call it.
     */
    admitAgain: () => Promise<AccountCaller>
  }
}

type Guarded = PlatformContext & { access: Access }

/** Every route of the scope wants an API token with scope and permission. */
export function guardPublicApi(app: Http, { access }: Guarded): void {
  app.addHook('onRoute', (route) => requireStated(route, ['scope', 'permission']))
  guard(app, (request) => {
    const token = bearerOf(request.headers.authorization)
    if (!token) throw new AppError('NO_TOKEN', { text: 'Send an API token: Authorization: Bearer prf_live_…' })
    return access.apiToken(token)
  })
}

/** Every route of the scope wants an admin session, as Bearer or by cookie. */
export function guardAdminApi(app: Http, { access, config }: Guarded): void {
  app.addHook('onRoute', (route) => requireStated(route, ['permission']))
  guard(app, async (request) => {
    const caller = await adminOf(request, access)
    if (caller.via === 'cookie') assertCookieWrite(request, config.publicUrl)
    return caller
  })
}

/**
 * Ahead of the body, and again with it: a body may take as long as it likes, and what its sender may do is checked by
 * what holds when it is there. Routes that stream their body do that themselves, by `admitAgain`.
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

function adminOf(request: FastifyRequest, access: Access): Promise<AccountCaller> {
  const bearer = bearerOf(request.headers.authorization)
  const token = bearer ?? request.cookies[adminCookie]
  if (!token) throw new AppError('NO_TOKEN', { text: 'Sign in as an admin first.' })
  return access.admin(token, bearer ? 'header' : 'cookie')
}

function admit(request: FastifyRequest, caller: AccountCaller): void {
  const { scope, permission, role, isOpenBeforePasswordChange } = request.routeOptions.config
  if (caller.user.must_change_password === 1 && !isOpenBeforePasswordChange) throw new AppError('MUST_CHANGE_PASSWORD')
  if (scope && caller.scope && !scopeCovers(caller.scope, scope)) {
    throw new AppError('INSUFFICIENT_SCOPE', { body: { required: scope, granted: caller.scope } })
  }
  const needed = [permission ?? []].flat()
  if (!needed.every((one) => mayDo(caller.user.role, one))) throw new AppError('FORBIDDEN')
  if (role && caller.user.role !== role) throw new AppError('FORBIDDEN')
  request.caller = caller
}

/** A guarded route that does not say whom it is for is a mistake found at the start, not in the field. */
function requireStated(route: RouteOptions, keys: Array<'scope' | 'permission'>): void {
  if (route.method === 'OPTIONS') return
  for (const key of keys) {
    if (route.config?.[key] === undefined) throw new Error(`${String(route.method)} ${route.url} states no ${key}`)
  }
}
