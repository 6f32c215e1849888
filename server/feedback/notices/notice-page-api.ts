import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findEvent } from '../../events/event-rows.ts'
import { html } from '../../platform/html/html.ts'
import { renderPage, themedStylesheets } from '../../platform/html/page-document.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { pageSecurityPolicy } from '../../platform/http/security-headers.ts'
import { acceptLanguage, getTranslator } from '../../platform/text/messages.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { type NoticeLink, readNoticeLink } from './notice-links.ts'
import { applyNoticeLink } from './notice-rows.ts'

const Form = Type.Object({ again: Type.Optional(Type.String({ maxLength: 1 })) })

const Params = Type.Object({ token: Type.String({ minLength: 1, maxLength: 1000 }) })

/** `/mails/{token}`: a page with one button, because mail scanners open links too. It works without JavaScript. */
export const noticePageApi = (ctx: AppContext) => async (app: Http) => {
  await app.register(formbody, { bodyLimit: 1000 })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': pageSecurityPolicy,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
  })

  app.get('/mails/:token', { schema: { params: Params } }, async (request, reply) => {
    const link = readNoticeLink(ctx, request.params.token)
    return renderNoticePage(ctx, request, reply, link, link?.act ?? 'gone')
  })

  app.post('/mails/:token', { schema: { params: Params, body: Form } }, async (request, reply) => {
    const link = readNoticeLink(ctx, request.params.token)
    const isAgain = request.body?.again === '1'
    const isDone = link !== null && (await applyNoticeLink(ctx, link, isAgain))
    const done = isAgain ? 'confirmDone' : (`${link?.act ?? 'confirm'}Done` as const)
    return renderNoticePage(ctx, request, reply, link, isDone ? done : 'gone')
  })
}

type Outcome = 'confirm' | 'confirmDone' | 'unsubscribe' | 'unsubscribeDone' | 'gone'

const forms: Partial<
  Record<Outcome, { label: 'confirm_button' | 'unsubscribe_button' | 'again_button'; isAgain: boolean }>
> = {
  confirm: { label: 'confirm_button', isAgain: false },
  unsubscribe: { label: 'unsubscribe_button', isAgain: false },
  unsubscribeDone: { label: 'again_button', isAgain: true },
}

async function renderNoticePage(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  link: NoticeLink | null,
  outcome: Outcome,
): Promise<string> {
  const settings = await ctx.settings.values()
  const event = link === null ? undefined : await findEvent(ctx.db, link.eventId)
  const shown = event ? outcome : 'gone'
  const ofGuests = link?.guestId ? event?.language : null
  const { locale, t } = getTranslator('mails', acceptLanguage(request, ofGuests ?? settings.general_default_language))
  reply.code(shown === 'gone' ? 404 : 200).type('text/html; charset=utf-8')
  const title = t(`${shown}_title`)
  const form = forms[shown]
  const hidden = form?.isAgain ? html`<input type="hidden" name="again" value="1">` : null
  const button = form ? html`<form method="post">${hidden}<button>${t(form.label)}</button></form>` : null
  const { branding_studio_name: studio } = settings
  return renderPage({
    locale,
    title,
    root: 'theme-classic',
    stylesheets: themedStylesheets,
    head: null,
    body: html`<main class="card">
<h1>${title}</h1>
<p>${t(`${shown}_text`, { event: event?.event_name ?? '' })}</p>
${button}
</main>
<footer>${studio ? html`<span>${studio}</span>` : null}</footer>`,
  }).markup
}
