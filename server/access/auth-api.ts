import type { FastifyReply, FastifyRequest } from 'fastify'
import { ChangePasswordBody, DoneReply, LoginBody, LoginReply, SessionReply } from '../../contract/access.ts'
import type { Backends } from '../platform/backends.ts'
import { addressKey } from '../platform/http/address.ts'
import type { Http } from '../platform/http/create-http.ts'
import { originOf } from '../platform/links.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Access } from './access.ts'
import type { User } from './account-rows.ts'
import { changePassword } from './change-password.ts'
import { adminCookie, bearerOf, sessionCookie } from './cookies.ts'
import { judgeCookieWrite } from './same-origin.ts'
import { signInAdmin } from './sign-in-admin.ts'

type Guarded = Backends & { access: Access }

/** `/api/auth`: admin sign-in, session and logout. Open to everybody. */
export const authApi = (house: Guarded, noteOrigin: (origin: string | null) => Promise<void>) => async (app: Http) => {
  app.post(
    '/admin/login',
    {
      schema: { summary: 'Sign in', body: LoginBody, response: { 200: LoginReply } },
      config: { isSignIn: true },
    },
    async (request, reply) => {
      const { username, password } = request.body
      const { token, user } = await signInAdmin(house, { username, password, address: addressKey(request.ip) })
      if (user.role === 'super_admin') await noteOrigin(originOf(request))
      reply.setCookie(adminCookie, token, sessionCookie(request, house.config.publicUrl))
      return { token, user: userRecord(user) }
    },
  )

  app.post('/logout', { schema: { summary: 'Sign out', response: { 200: DoneReply } } }, logOut(house))

  app.get('/session', { schema: { summary: 'Who is signed in', response: { 200: SessionReply } } }, async (request) => {
    const token = adminTokenOf(request)
    const caller = token ? await house.access.admin(token, 'header').catch(asNobody) : null
    return { valid: caller !== null, user: caller && { ...userRecord(caller.user), role: caller.user.role } }
  })
}

/** `/api/admin/auth`, behind the admin guard. */
export const adminAccountApi = (house: Guarded) => async (app: Http) => {
  app.post(
    '/auth/change-password',
    {
      schema: { summary: 'Change your password', body: ChangePasswordBody, response: { 200: LoginReply } },
      config: { permission: null, isOpenBeforePasswordChange: true },
    },
    async (request, reply) => {
      const { token, user } = await changePassword(house, request.caller.user, request.body)
      reply.setCookie(adminCookie, token, sessionCookie(request, house.config.publicUrl))
      return { token, user: userRecord(user) }
    },
  )
}

/** `/api/admin/auth/logout` is the same door, and answers without a valid session too. */
export const adminLogoutApi = (house: Guarded) => async (app: Http) => {
  app.post('/auth/logout', { schema: { summary: 'Sign out', response: { 200: DoneReply } } }, logOut(house))
}

/** 200 also without a token; when the revocation cannot be stored 500, with the cookie cleared all the same. */
const logOut = (house: Guarded) => async (request: FastifyRequest, reply: FastifyReply) => {
  if (!bearerOf(request.headers.authorization)) judgeCookieWrite(request, house.config.publicUrl)
  reply.clearCookie(adminCookie, { path: '/' })
  const tokens = new Set([bearerOf(request.headers.authorization), request.cookies[adminCookie]])
  for (const token of tokens) if (token) await house.access.endSession(token, 'admin')
  return { success: true }
}

const adminTokenOf = (request: FastifyRequest): string | null =>
  bearerOf(request.headers.authorization) ?? request.cookies[adminCookie] ?? null

function asNobody(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

const userRecord = (user: User) => ({
  id: user.id,
  username: user.username,
  email: user.email,
  mustChangePassword: user.must_change_password === 1,
})
