import { ChangePasswordBody, SignedInReply } from '../../contract/access.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import { userRecord } from './account-rows.ts'
import { changePassword } from './change-password.ts'
import { setAdminSessionCookies } from './cookies.ts'

export const adminAccountApi = (ctx: PlatformContext & { access: Access }) => async (app: Http) => {
  app.post(
    '/auth/change-password',
    {
      schema: {
        operationId: 'changePassword',
        tags: ['account'],
        summary: 'Change your password',
        description: 'Ends all your sessions and answers a new one. API tokens stay.',
        body: ChangePasswordBody,
        response: { 200: SignedInReply },
      },
      config: {
        permission: null,
        isOpenBeforePasswordChange: true,
        problems: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED'],
      },
    },
    async (request, reply) => {
      const signedIn = await changePassword(ctx, request.caller.user, request.body)
      setAdminSessionCookies(request, reply, ctx.config.publicUrl, signedIn)
      return { token: signedIn.token, refresh_token: signedIn.refreshToken, user: userRecord(signedIn.user) }
    },
  )
}
