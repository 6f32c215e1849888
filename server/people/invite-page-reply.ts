import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountPassword } from '../../contract/access.ts'
import type { AppError } from '../platform/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { acceptInvite, createInviteAttempt, getInvitedAccount } from './accept-invite.ts'
import { messagePage, passwordPage } from './invite-page.ts'
import { messagesFor } from './people-messages.ts'

export type PasswordForm = { password: string; again: string }

/** Does not use the invitation, because mail scanners open links too. */
export async function renderInvitePage(ctx: AppContext, request: FastifyRequest, token: string): Promise<string> {
  const { user } = await getInvitedAccount(ctx, createInviteAttempt(request, token))
  return passwordPage(await loadFrame(ctx, request), { token, username: user.username, problem: null })
}

export async function submitPasswordForm(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, password, again }: PasswordForm & { token: string },
): Promise<string> {
  const frame = await loadFrame(ctx, request)
  const { messages } = frame
  const { user } = await getInvitedAccount(ctx, createInviteAttempt(request, token))
  const { Value } = await import('typebox/value')
  const isLongEnough = Value.Check(AccountPassword, password)
  if (!isLongEnough || password !== again) {
    reply.code(400)
    const problem = isLongEnough ? messages.differs : messages.tooShort
    return passwordPage(frame, { token, username: user.username, problem })
  }
  await acceptInvite(ctx, createInviteAttempt(request, token), password.normalize('NFC'))
  return messagePage(frame, messages.doneTitle, messages.done(user.username))
}

/** Shows errors as pages instead of JSON. */
export async function renderErrorPage(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  appError: AppError,
): Promise<string> {
  const frame = await loadFrame(ctx, request)
  const { messages } = frame
  const { retryAfterSeconds } = appError.extras
  reply.code(appError.status)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (appError.code === 'NOT_FOUND') return messagePage(frame, messages.goneTitle, messages.gone)
  if (appError.code === 'RATE_LIMITED') return messagePage(frame, messages.goneTitle, messages.limited)
  return messagePage(frame, messages.failedTitle, messages.failed)
}

async function loadFrame({ settings }: AppContext, request: FastifyRequest) {
  const values = await settings.values()
  return { settings: values, messages: messagesFor(request, values.general_default_language) }
}
