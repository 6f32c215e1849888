import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  ChangePasswordBody,
  DoneReply,
  LoginBody,
  LoginReply,
  MfaLoginBody,
  RefreshReply,
  RefreshTokenBody,
  SessionReply,
  SignedInReply,
} from '../../contract/access.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptAnyBody } from '../platform/http/json-bodies.ts'
import { addressKey } from '../platform/network/client-address.ts'
import { getRequestOrigin } from '../platform/network/request-origin.ts'
import { type AccessContext, nullForAppError } from './access.ts'
import { userRecord } from './account-rows.ts'
import { changePassword, refreshSession, type SignedIn } from './admin-sessions.ts'
import { adminCookie, clearAdminSession, parseBearerToken, refreshCookie, setAdminSessionCookies } from './cookies.ts'
import { permissionsOf } from './roles.ts'
import { assertCookieWrite } from './same-origin-hook.ts'
import { findConfirmedFactor } from './second-factor/second-factor-rows.ts'
import { signInAdmin, signInWithCode } from './sign-in-admin.ts'

const tags = ['account']

export const authApi =
  (ctx: AccessContext, recordOrigin: (origin: string | null) => Promise<void>) => async (app: Http) => {
    const replySignedIn = async (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => {
      if (signedIn.user.role === 'super_admin') await recordOrigin(getRequestOrigin(request))
      return signedInReply(ctx, request, reply, signedIn)
    }

    app.post(
      '/admin/login',
      {
        schema: {
          operationId: 'signIn',
          tags,
          summary: 'Sign in',
          description: 'With a second factor, the response asks for a code, and no session starts yet.',
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
        return replySignedIn(request, reply, entry)
      },
    )

    app.post(
      '/admin/login/mfa',
      {
        schema: {
          operationId: 'signInWithCode',
          tags,
          summary: 'Complete the sign-in with a second factor',
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
        return replySignedIn(request, reply, signedIn)
      },
    )

    app.post(
      '/refresh',
      {
        schema: {
          operationId: 'refreshSession',
          tags,
          summary: 'Renew the session',
          description: 'Uses the token of the body, or else the token of the cookie. Each token works once.',
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
        const { user: _, ...tokens } = signedInReply(ctx, request, reply, await refreshSession(ctx, token))
        return tokens
      },
    )

    app.get(
      '/session',
      {
        schema: {
          operationId: 'getSession',
          tags,
          summary: 'Get the current session',
          response: { 200: SessionReply },
        },
      },
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

function signedInReply({ config }: AccessContext, request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) {
  setAdminSessionCookies(request, reply, config.publicUrl, signedIn)
  return { token: signedIn.token, refresh_token: signedIn.refreshToken, user: userRecord(signedIn.user) }
}

/**
 * Signing out needs no valid token. If the revocation cannot be stored, the response is 500, but it still clears the
 * cookies.
 */
export const signOutApi =
  (ctx: AccessContext, { path, operationId }: { path: string; operationId: string }) =>
  async (app: Http) => {
    acceptAnyBody(app)
    app.post(
      path,
      {
        attachValidation: true,
        schema: {
          operationId,
          tags: ['account'],
          summary: 'Sign out',
          description: 'Ends the session and invalidates its refresh tokens.',
          body: RefreshTokenBody,
          response: { 200: DoneReply },
        },
      },
      async (request: FastifyRequest<{ Body: { refresh_token?: string | null } | null }>, reply: FastifyReply) => {
        const bearer = parseBearerToken(request.headers.authorization)
        // Signing out works even with an invalid body.
        const body = request.validationError ? null : request.body
        if (!bearer) assertCookieWrite(request, ctx.config.publicUrl)
        clearAdminSession(reply)
        await ctx.access.endSessions([
          { token: bearer, type: 'admin' },
          { token: request.cookies[adminCookie], type: 'admin' },
          { token: body?.refresh_token, type: 'refresh' },
          { token: request.cookies[refreshCookie], type: 'refresh' },
        ])
        return { success: true }
      },
    )
  }

export const adminAccountApi = (ctx: AccessContext) => async (app: Http) => {
  app.post(
    '/auth/change-password',
    {
      schema: {
        operationId: 'changePassword',
        tags: ['account'],
        summary: 'Change your password',
        description: 'Ends all your sessions and returns a new one. API tokens stay valid.',
        body: ChangePasswordBody,
        response: { 200: SignedInReply },
      },
      config: {
        permission: null,
        isOpenBeforePasswordChange: true,
        problems: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED'],
      },
    },
    async (request, reply) =>
      signedInReply(ctx, request, reply, await changePassword(ctx, request.caller.user, request.body)),
  )
}
