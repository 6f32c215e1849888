import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  LoginBody,
  LoginReply,
  RefreshReply,
  RefreshTokenBody,
  SessionReply,
  SignedInReply,
} from '../../contract/access.ts'
import { MfaLoginBody } from '../../contract/second-factor.ts'
import { AppError } from '../platform/app-error.ts'
import { addressKey } from '../platform/client-address.ts'
import type { Http } from '../platform/http/create-http.ts'
import { getRequestOrigin } from '../platform/links.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import { userRecord } from './account-rows.ts'
import { adminCookie, parseBearerToken, refreshCookie, setAdminSessionCookies } from './cookies.ts'
import { refreshSession } from './refresh-session.ts'
import { permissionsOf } from './roles.ts'
import { assertCookieWrite } from './same-origin-hook.ts'
import { findConfirmedFactor } from './second-factor-rows.ts'
import { signInAdmin } from './sign-in-admin.ts'
import { signInWithCode } from './sign-in-with-code.ts'
import type { SignedIn } from './start-session.ts'

type AccessContext = PlatformContext & { access: Access }

const tags = ['account']

export const authApi =
  (ctx: AccessContext, recordOrigin: (origin: string | null) => Promise<void>) => async (app: Http) => {
    const signedInReply = async (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => {
      const { token, refreshToken, user } = signedIn
      if (user.role === 'super_admin') await recordOrigin(getRequestOrigin(request))
      setAdminSessionCookies(request, reply, ctx.config.publicUrl, signedIn)
      return { token, refresh_token: refreshToken, user: userRecord(user) }
    }

    app.post(
      '/admin/login',
      {
        schema: {
          operationId: 'signIn',
          tags,
          summary: 'Sign in',
          description: 'With a second factor a code is wanted next, and nothing is signed in yet.',
          body: LoginBody,
          response: { 200: LoginReply },
        },
        config: { isSignIn: true, problems: ['RECAPTCHA_FAILED', 'INVALID_CREDENTIALS', 'ACCOUNT_LOCKED'] },
      },
      async (request, reply) => {
        const { username, password, recaptchaToken = null } = request.body
        const address = addressKey(request.ip)
        const entry = await signInAdmin(ctx, { username, password, recaptchaToken, address })
        if ('mfaToken' in entry) return { mfaRequired: true as const, mfaToken: entry.mfaToken }
        return signedInReply(request, reply, entry)
      },
    )

    app.post(
      '/admin/login/mfa',
      {
        schema: {
          operationId: 'signInWithCode',
          tags,
          summary: 'Sign in, the second step',
          body: MfaLoginBody,
          response: { 200: SignedInReply },
        },
        config: {
          isSignIn: true,
          problems: [
            'INVALID_TOKEN',
            'TOKEN_EXPIRED',
            'TOKEN_REVOKED',
            'OWNER_INACTIVE',
            'INVALID_CREDENTIALS',
            'ACCOUNT_LOCKED',
          ],
        },
      },
      async (request, reply) => {
        const signedIn = await signInWithCode(ctx, { ...request.body, address: addressKey(request.ip) })
        return signedInReply(request, reply, signedIn)
      },
    )

    app.post(
      '/refresh',
      {
        schema: {
          operationId: 'refreshSession',
          tags,
          summary: 'Renew the session',
          description: 'Takes the token of the body, else that of the cookie. Each is taken once.',
          body: RefreshTokenBody,
          response: { 200: RefreshReply },
        },
        config: { problems: ['NO_TOKEN', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED', 'OWNER_INACTIVE'] },
      },
      async (request, reply) => {
        const bodyToken = request.body?.refresh_token
        if (!bodyToken) assertCookieWrite(request, ctx.config.publicUrl)
        const token = bodyToken || request.cookies[refreshCookie]
        if (!token) throw new AppError('NO_TOKEN', { text: 'Send the refresh_token of a sign-in, or sign in.' })
        const refreshed = await refreshSession(ctx, token)
        setAdminSessionCookies(request, reply, ctx.config.publicUrl, refreshed)
        return { token: refreshed.token, refresh_token: refreshed.refreshToken }
      },
    )

    app.get(
      '/session',
      { schema: { operationId: 'getSession', tags, summary: 'Who is signed in', response: { 200: SessionReply } } },
      async (request) => {
        const token = parseBearerToken(request.headers.authorization) ?? request.cookies[adminCookie]
        const caller = token ? await ctx.access.admin(token, 'header').catch(nullForAppError) : null
        if (!caller) return { valid: false, user: null }
        const mfaEnabled = (await findConfirmedFactor(ctx.db, caller.user.id)) !== undefined
        const { role } = caller.user
        return { valid: true, user: { ...userRecord(caller.user), role, permissions: permissionsOf(role), mfaEnabled } }
      },
    )
  }

function nullForAppError(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}
