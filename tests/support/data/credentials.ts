import { createHmac } from 'node:crypto'
import { createAccount, createApiToken } from './accounts.ts'
import type { Outcome } from '../access/admin-requests.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from './customers.ts'
import { enterAsGuest, type TestEvent } from './events.ts'
import { createAccountWithFactor, passFirstStep } from './second-factor.ts'
import { createSignIn } from './sign-ins.ts'
import type { TestService } from '../service/test-service.ts'

/** A service with this JWT_SECRET accepts the tokens that tests forge. */
export const jwtSecret = 'known to the tests and to nobody else'

type Claims = Record<string, unknown>

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Creates a JWT with any claims and key. With `alg: 'none'` it has no signature. */
export function forgeToken(claims: Claims, { key = jwtSecret, alg = 'HS256' } = {}): string {
  const unsigned = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
  if (alg === 'none') return `${unsigned}.`
  return `${unsigned}.${createHmac(alg.replace('HS', 'sha'), key).update(unsigned).digest('base64url')}`
}

export const readClaims = (token = ''): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** Families of routes, by the credentials that they accept. `none`: credentials that no family accepts. */
export type RouteFamily = 'admin' | 'api' | 'gallery' | 'customer' | 'none'

/** Returns credentials by family: real ones of the first admin, and forged ones of each token type. */
export async function createCredentials(
  service: TestService,
  event: TestEvent,
): Promise<Record<RouteFamily, Record<string, string>>> {
  const { admin, api } = service
  const customer = await createCustomer(admin)
  await admin.put(assignmentPath(customer, event), {})
  const asked = await signInAsCustomer(service, customer)
  const forgeOfType = (type: string) => forgeToken({ ...readClaims(admin.token), type })
  const { token: customerToken } = await enterAsCustomer(service, asked, event.slug)
  return {
    admin: { 'the session of an admin': admin.token ?? '', 'a session of the type admin': forgeOfType('admin') },
    api: {
      'an API token of scope read': await createApiToken(admin, ['read']),
      'an API token of scope write': await createApiToken(admin, ['write']),
      'an API token of scope admin': api.token ?? '',
      'an API token that there is not': `prf_live_${'A'.repeat(32)}`,
    },
    gallery: {
      'the session of a guest': (await enterAsGuest(service, event)).token ?? '',
      'the session of a customer in a gallery': customerToken ?? '',
      'a session of the type gallery': forgeOfType('gallery'),
    },
    customer: {
      'the session of a customer': asked.token ?? '',
      'a session of the type customer': forgeOfType('customer'),
    },
    none: {
      'the refresh token of an admin': (await createSignIn(service)).refreshToken,
      'the mfaToken of a first step': await passFirstStep(service, await createAccountWithFactor(service, Date.now())),
      'a session of the type refresh': forgeOfType('refresh'),
      'a session of the type mfa': forgeOfType('mfa'),
      'a session of a type that there is not': forgeOfType('root'),
      'a session without a type': forgeToken({ ...readClaims(admin.token), type: undefined }),
    },
  }
}

export const listForeignCredentials = (
  known: Record<RouteFamily, Record<string, string>>,
  ...own: RouteFamily[]
): Array<[string, string]> =>
  Object.entries(known).flatMap(([family, tokens]) =>
    own.includes(family as RouteFamily) ? [] : Object.entries(tokens),
  )

export function createInvalidTokens({ admin }: TestService, event: TestEvent): Record<string, string> {
  const claims = readClaims(admin.token)
  return {
    'a session of no account': forgeToken({ ...claims, sub: undefined }),
    'a session of an account that there is not': forgeToken({ ...claims, sub: '999999' }),
    'a session of another instance': forgeToken(claims, { key: 'the secret of somebody else altogether' }),
    'a session without a signature': forgeToken(claims, { alg: 'none' }),
    'a session of another algorithm': forgeToken(claims, { alg: 'HS512' }),
    'a session cut short': admin.token?.slice(0, -4) ?? '',
    'the share token of a gallery': event.share_token,
    'what is no token at all': 'x',
  }
}

/** Returns tokens of sessions that were valid once, with the expected outcome of a request. */
export async function createEndedSessions(
  service: TestService,
): Promise<Record<string, { token: string; expected: Outcome }>> {
  const { admin } = service
  const ended: Record<string, { token: string; expected: Outcome }> = {}
  const add = (name: string, token = '', expected: Outcome) => {
    ended[name] = { token, expected }
  }
  const account = () => createAccount(service, 'super_admin')
  const postToUser = (id: number, operation: string) => admin.post(`/api/admin/users/${id}/${operation}`, {})

  const deactivated = await account()
  await postToUser(deactivated.id, 'deactivate')
  add('of a deactivated account', deactivated.admin.token, '401 OWNER_INACTIVE')
  const back = await account()
  await postToUser(back.id, 'deactivate')
  await admin.patch(`/api/admin/users/${back.id}`, { is_active: true })
  add('of before a deactivation that is over', back.admin.token, '401 TOKEN_REVOKED')
  const reset = await account()
  await postToUser(reset.id, 'reset-password')
  add('of before a reset of the password', reset.admin.token, '401 TOKEN_REVOKED')
  const changed = await account()
  const passwords = { currentPassword: changed.password, newPassword: 'a much better one' }
  await changed.admin.post('/api/admin/auth/change-password', passwords)
  add('of before a change of the password', changed.admin.token, '401 TOKEN_REVOKED')
  const left = await account()
  await left.admin.post('/api/admin/auth/logout', {})
  add('that was signed out', left.admin.token, '401 TOKEN_REVOKED')
  const waiting = await createAccount(service, 'super_admin', { mustChangePassword: true })
  add('of an account that must change its password first', waiting.admin.token, '403 MUST_CHANGE_PASSWORD')
  const claims = readClaims(admin.token)
  const now = Math.floor(Date.now() / 1000)
  const expiredToken = forgeToken({ ...claims, iat: now - 90_000, exp: now - 3600 })
  add('of yesterday', expiredToken, '401 TOKEN_EXPIRED')
  return ended
}
