import type { FastifyReply, FastifyRequest } from 'fastify'
import { DoneReply, RefreshTokenBody } from '../../contract/access.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptAnyBody } from '../platform/http/json-bodies.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import { adminCookie, clearAdminSession, parseBearerToken, refreshCookie } from './cookies.ts'
import { assertCookieWrite } from './same-origin-hook.ts'

/** Returns 200 also without a token. Clears the cookies even if the revocation cannot be stored (500). */
export const signOutApi =
  (ctx: PlatformContext & { access: Access }, { path, operationId }: { path: string; operationId: string }) =>
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
          description: 'Ends the session and whatever could renew it.',
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
