import { AcceptedInvite, AcceptInviteBody, InviteParams, InviteReply } from '../../contract/people.ts'
import type { AccessContext } from '../access/access.ts'
import { isoTime } from '../platform/clock.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptInvite, createInviteAttempt, getInvitedAccount } from './accept-invite.ts'

const tags = ['people']

/** `/api/invite/{token}`: sets the password of an account. Failed attempts are limited like failed sign-ins. */
export const inviteApi = (ctx: AccessContext) => async (app: Http) => {
  app.get(
    '/:token',
    {
      schema: {
        operationId: 'getInvite',
        tags,
        summary: 'Whom a link is for',
        description: 'Nothing is used up by looking. Used, expired and unknown links are answered alike.',
        params: InviteParams,
        response: { 200: InviteReply },
      },
      config: { isSignIn: true },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { user, expiresAt } = await getInvitedAccount(ctx, createInviteAttempt(request, request.params.token))
      return { username: user.username, email: user.email, expires_at: isoTime(expiresAt) }
    },
  )

  app.post(
    '/:token',
    {
      schema: {
        operationId: 'acceptInvite',
        tags,
        summary: 'Choose the password, once',
        description: 'Whoever it is signs in with it after that.',
        params: InviteParams,
        body: AcceptInviteBody,
        response: { 200: AcceptedInvite },
      },
      config: { isSignIn: true },
    },
    async (request) => {
      const { token } = request.params
      const { username } = await acceptInvite(ctx, createInviteAttempt(request, token), request.body.password)
      return { success: true, username }
    },
  )
}
