import type { FastifyRequest } from 'fastify'
import { type AccessContext, nullForAppError } from '../../access/access.ts'
import { validateAccount } from '../../access/account-rows.ts'
import { customerCookie, parseBearerToken } from '../../access/cookies.ts'
import type { CustomerRow } from '../../access/customers/customer-rows.ts'
import type { CustomerState } from '../../access/customers/customer-state.ts'
import { assertCookieWrite, isWrite } from '../../access/same-origin-hook.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `guardCustomerApi`; only routes with this guard may read it. */
    customer: CustomerRow
  }
}

export type CustomerContext = AccessContext & { customers: CustomerState }

/** Requires a customer session on every route of the plugin, as Bearer token or cookie. */
export function guardCustomerApi(app: Http, ctx: CustomerContext): void {
  const authenticate = async (request: FastifyRequest) => {
    const bearer = parseBearerToken(request.headers.authorization)
    const token = bearer ?? request.cookies[customerCookie]
    if (!token) throw new AppError('NO_TOKEN', { text: 'Sign in as a customer first.' })
    const customer = await getCustomerOfToken(ctx, token)
    if (!bearer) assertCookieWrite(request, ctx.config.publicUrl)
    request.customer = customer
  }
  app.addHook('onRequest', authenticate)
  // Checks again after the body of a write: receiving it may take minutes, and the session may have ended since.
  app.addHook('preHandler', async (request) => {
    if (isWrite(request)) await authenticate(request)
  })
}

export async function findSignedInCustomer(ctx: CustomerContext, request: FastifyRequest): Promise<CustomerRow | null> {
  const token = parseBearerToken(request.headers.authorization) ?? request.cookies[customerCookie]
  if (!token) return null
  return getCustomerOfToken(ctx, token).catch(nullForAppError)
}

/** Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED or OWNER_INACTIVE. */
async function getCustomerOfToken({ access, customers }: CustomerContext, token: string): Promise<CustomerRow> {
  const { customerId, version } = await access.customer(token)
  return validateAccount(await customers.customer(customerId), version)
}
