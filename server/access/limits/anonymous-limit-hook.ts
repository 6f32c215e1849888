import type { FastifyRequest } from 'fastify'
import type { Http } from '../../platform/http/create-http.ts'
import { addressKey } from '../../platform/network/client-address.ts'
import { type Access, type AccessContext, isApiToken, nullForAppError } from '../access.ts'
import { adminCookie, customerCookie, parseBearerToken } from '../cookies.ts'
import { limitRequest } from './rate-limit-hook.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is exempt from the limit of anonymous requests, because it limits its own failed attempts. */
    isSignIn?: boolean
  }
}

/**
 * Limits requests without a valid credential, per address. Applies to /api except sign-in routes, preflights and the
 * API descriptions.
 */
export function limitAnonymous(app: Http, { access, config }: AccessContext): void {
  if (!config.rateLimit) return
  app.addHook('onRequest', async (request) => {
    if (!isLimited(request) || (await hasValidCredential(access, request))) return
    await limitRequest(request, access.limits.anonymous(addressKey(request.ip)))
  })
}

/** Prefers the pattern of the route to the URL, because the same path can be encoded in several ways. */
const routePath = (request: FastifyRequest): string => request.routeOptions.url ?? request.url

function isLimited(request: FastifyRequest): boolean {
  const path = routePath(request)
  const isDescription = /^\/api\/((gallery\/)?(openapi|postman)\.json$|docs(\/|$))/.test(path)
  const isExempt = isDescription || isPreflight(request) || request.routeOptions.config.isSignIn
  return path.startsWith('/api/') && !isExempt
}

/** Browsers send it before a call to another origin; the call itself counts. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

async function hasValidCredential(access: Access, request: FastifyRequest): Promise<boolean> {
  const authenticate = authenticatorFor(access, routePath(request))
  for (const token of tokensOf(request)) {
    if (await authenticate(token).catch(nullForAppError)) return true
  }
  return false
}

/** The first three APIs accept one type of credential each; other routes accept several. */
function authenticatorFor(access: Access, path: string): (token: string) => Promise<object> {
  if (path.startsWith('/api/v1/')) return access.apiToken
  if (path.startsWith('/api/admin/')) return (token) => access.admin(token, 'header')
  if (path.startsWith('/api/customer/')) return access.customer
  return (token) => (isApiToken(token) ? access.apiToken(token) : access.visitor(token, 'header'))
}

/** How many gallery cookies are checked at most. Each check costs the verification of a signature. */
const maxGalleries = 20

function tokensOf(request: FastifyRequest): string[] {
  const bearer = parseBearerToken(request.headers.authorization)
  if (bearer) return [bearer]
  const { [adminCookie]: session, [customerCookie]: customer, ...others } = request.cookies
  const galleries = Object.keys(others).filter((name) => /^gallery_\d+$/.test(name))
  return [session, customer, ...galleries.slice(0, maxGalleries).map((name) => others[name])].flatMap(
    (token) => token ?? [],
  )
}
