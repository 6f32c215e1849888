import type { FastifyRequest } from 'fastify'
import { DoneReply } from '../../../contract/access.ts'
import {
  CustomerLoginBody,
  CustomerLoginReply,
  CustomerSessionReply,
  type SignedInCustomer,
} from '../../../contract/customers.ts'
import { customerCookie, parseBearerToken, sessionCookie } from '../../access/cookies.ts'
import type { CustomerRow } from '../../access/customers/customer-rows.ts'
import { assertCookieWrite } from '../../access/same-origin-hook.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { acceptAnyBody } from '../../platform/http/json-bodies.ts'
import { addressKey } from '../../platform/network/client-address.ts'
import { type CustomerContext, findSignedInCustomer } from './customer-guard.ts'
import { signInCustomer } from './customers.ts'

/** `/api/customer/auth`: sign-in, session and sign-out of customers. The routes require no session. */
export const customerAuthApi = (ctx: CustomerContext) => async (app: Http) => {
  app.post(
    '/login',
    {
      schema: {
        operationId: 'signInCustomer',
        tags: ['customers'],
        summary: 'Sign in as a customer',
        body: CustomerLoginBody,
        response: { 200: CustomerLoginReply },
      },
      config: { isSignIn: true, problems: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED'] },
    },
    async (request, reply) => {
      const { email, password } = request.body
      const { token, customer } = await signInCustomer(ctx, { email, password, address: addressKey(request.ip) })
      reply.setCookie(customerCookie, token, sessionCookie(request, ctx.config.publicUrl))
      return { token, customer: toSignedInCustomer(customer) }
    },
  )

  app.get(
    '/session',
    {
      schema: {
        operationId: 'getCustomerSession',
        tags: ['customers'],
        summary: 'Get the current customer session',
        response: { 200: CustomerSessionReply },
      },
    },
    async (request) => {
      const customer = await findSignedInCustomer(ctx, request)
      return { valid: customer !== null, customer: customer && toSignedInCustomer(customer) }
    },
  )

  await app.register(customerLogoutApi(ctx))
}

/** If the revocation cannot be stored, the response is 500, but it still clears the cookies. */
const customerLogoutApi = (ctx: CustomerContext) => async (app: Http) => {
  acceptAnyBody(app)
  app.post(
    '/logout',
    {
      schema: {
        operationId: 'signOutCustomer',
        tags: ['customers'],
        summary: 'Sign out as a customer',
        response: { 200: DoneReply },
      },
    },
    async (request, reply) => {
      const bearer = parseBearerToken(request.headers.authorization)
      if (!bearer) assertCookieWrite(request, ctx.config.publicUrl)
      const galleries = findGallerySessions(ctx, request)
      for (const name of [customerCookie, ...galleries.keys()]) reply.clearCookie(name, { path: '/' })
      const ends = [
        { token: bearer, type: 'customer' as const },
        { token: request.cookies[customerCookie], type: 'customer' as const },
        ...[...galleries.values()].map((token) => ({ token, type: 'gallery' as const })),
      ]
      await ctx.access.endSessions(ends, request.ip)
      return { success: true }
    },
  )
}

/** Returns the gallery sessions that this browser has as a customer, by cookie name. Signing out ends them too. */
function findGallerySessions({ access }: CustomerContext, { cookies }: FastifyRequest): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, token] of Object.entries(cookies)) {
    if (token && /^gallery_\d+$/.test(name) && access.isCustomerSession(token)) found.set(name, token)
  }
  return found
}

const toSignedInCustomer = ({ id, name, email }: CustomerRow): SignedInCustomer => ({ id, name, email })
