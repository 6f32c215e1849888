import { AcceptedInvite, AcceptInviteBody, InviteParams, InviteReply } from '../../contract/people.ts'
import type { AccessContext } from '../access/access.ts'
import type { Http } from '../platform/http/create-http.ts'
import { isoTime } from '../platform/time/clock.ts'
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
        summary: 'Get the account of an invitation link',
        description: 'Does not use up the link. The response is the same for used, expired and unknown links.',
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
        summary: 'Set the password with an invitation link',
        description: 'The account can then sign in with this password.',
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
