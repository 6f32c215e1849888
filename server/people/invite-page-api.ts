import formbody from '@fastify/formbody'
import { Type } from 'typebox'
import { InviteParams } from '../../contract/people.ts'
import { AppError } from '../platform/app-error.ts'
import { asAppError } from '../platform/as-app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { pageSecurityPolicy } from '../platform/http/security-headers.ts'
import { ValidationProblem } from '../platform/validation-problem.ts'
import type { AppContext } from '../settings/app-context.ts'
import { renderErrorPage, renderInvitePage, submitPasswordForm } from './invite-page-reply.ts'

const html = 'text/html; charset=utf-8'

// Missing fields show the form again instead of a list of errors.
const PasswordForm = Type.Object({
  password: Type.String({ maxLength: 2000, default: '' }),
  again: Type.String({ maxLength: 2000, default: '' }),
})

/** `/invite/{token}`: the page to choose a password. It works without JavaScript. */
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

  // A malformed token is handled like an unknown one.
  app.setErrorHandler(async (error, request, reply) => {
    reply.type(html)
    if (error instanceof ValidationProblem) return renderErrorPage(ctx, request, reply, new AppError('NOT_FOUND'))
    const appError = asAppError(error)
    if (appError.status >= 500) request.log.error({ err: error }, appError.message)
    return renderErrorPage(ctx, request, reply, appError)
  })

  app.get('/invite/:token', { schema: { params: InviteParams } }, (request) =>
    renderInvitePage(ctx, request, request.params.token),
  )

  app.post('/invite/:token', { schema: { params: InviteParams, body: PasswordForm } }, (request, reply) =>
    submitPasswordForm(ctx, request, reply, { token: request.params.token, ...request.body }),
  )
}
