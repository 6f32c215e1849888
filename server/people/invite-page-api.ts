import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AccountPassword } from '../../contract/access.ts'
import { InviteParams } from '../../contract/people.ts'
import { isForeignWrite } from '../access/same-origin-hook.ts'
import { AppError, ValidationProblem } from '../platform/errors/app-error.ts'
import { asAppError } from '../platform/errors/as-app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { pageSecurityPolicy } from '../platform/http/security-headers.ts'
import { acceptLanguage, getTranslator } from '../platform/text/messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import { loadBrand } from '../settings/brand-markup.ts'
import { acceptInvite, createInviteAttempt, getInvitedAccount } from './accept-invite.ts'
import { messagePage, passwordPage, signInPage } from './invite-page.ts'

const html = 'text/html; charset=utf-8'

// With these defaults, missing fields show the form again. Without them, they would be handled like an unknown token.
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

  // A malformed token or form is handled like an unknown token.
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

/** Does not use up the invitation, because mail scanners open links too. */
async function renderInvitePage(ctx: AppContext, request: FastifyRequest, token: string): Promise<string> {
  const { user } = await getInvitedAccount(ctx, createInviteAttempt(request, token))
  return passwordPage(await loadFrame(ctx, request), { token, username: user.username, problem: null })
}

async function submitPasswordForm(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, password, again }: { token: string; password: string; again: string },
): Promise<string> {
  const frame = await loadFrame(ctx, request)
  const { t } = frame.i18n
  const { user } = await getInvitedAccount(ctx, createInviteAttempt(request, token))
  const { Value } = await import('typebox/value')
  const showForm = (status: number, problem: string) => {
    reply.code(status)
    return passwordPage(frame, { token, username: user.username, problem })
  }
  if (isForeignWrite(request, await ctx.settings.publicUrl())) return showForm(403, t('elsewhere'))
  if (!Value.Check(AccountPassword, password)) return showForm(400, t('tooShort'))
  if (password !== again) return showForm(400, t('differs'))
  await acceptInvite(ctx, createInviteAttempt(request, token), password)
  return signInPage(frame, t('doneTitle'), t('done', { username: user.username }))
}

async function renderErrorPage(ctx: AppContext, request: FastifyRequest, reply: FastifyReply, appError: AppError) {
  const frame = await loadFrame(ctx, request)
  const { t } = frame.i18n
  const { retryAfterSeconds } = appError.extras
  reply.code(appError.status)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (appError.code === 'NOT_FOUND') return signInPage(frame, t('goneTitle'), t('gone'))
  if (appError.code === 'RATE_LIMITED') return messagePage(frame, t('goneTitle'), t('limited'))
  return messagePage(frame, t('failedTitle'), t('failed'))
}

async function loadFrame({ settings }: AppContext, request: FastifyRequest) {
  const brand = await loadBrand(settings)
  const language = acceptLanguage(request, brand.settings.general_default_language)
  return { ...brand, i18n: getTranslator('invite', language) }
}
