import formbody from '@fastify/formbody'
import { Type } from 'typebox'
import { InviteParams } from '../../contract/people.ts'
import type { Http } from '../platform/http/create-http.ts'
import { refusalOf } from '../platform/http/problem-replies.ts'
import { pageSecurityPolicy } from '../platform/http/security-headers.ts'
import { ValidationProblem } from '../platform/http/validation.ts'
import { Refusal } from '../platform/refusal.ts'
import type { AppContext } from '../settings/app-context.ts'
import { chooseByForm, showRefusal, visitInvite } from './invite-visits.ts'

const html = 'text/html; charset=utf-8'

// What is left out of a form gets the page again, not a list of errors.
const PasswordForm = Type.Object({
  password: Type.String({ maxLength: 2000, default: '' }),
  again: Type.String({ maxLength: 2000, default: '' }),
})

/** `/invite/{token}`: what the browser of somebody opens who is to choose a password. Works without script. */
export const invitePageApi = (ctx: AppContext) => async (app: Http) => {
  await app.register(formbody, { bodyLimit: 20_000 })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': pageSecurityPolicy,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    reply.type(html)
  })

  // A mangled address is a link that opens nothing.
  app.setErrorHandler(async (error, request, reply) => {
    reply.type(html)
    if (error instanceof ValidationProblem) return showRefusal(ctx, request, reply, new Refusal('NOT_FOUND'))
    const refusal = refusalOf(error)
    if (refusal.status >= 500) request.log.error({ err: error }, refusal.message)
    return showRefusal(ctx, request, reply, refusal)
  })

  app.get('/invite/:token', { schema: { params: InviteParams } }, (request) =>
    visitInvite(ctx, request, request.params.token),
  )

  app.post('/invite/:token', { schema: { params: InviteParams, body: PasswordForm } }, (request, reply) =>
    chooseByForm(ctx, request, reply, { token: request.params.token, ...request.body }),
  )
}
