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

  app.post('/mails/:token', { schema: { params: Params } }, async (request, reply) => {
    const link = readNoticeLink(ctx, request.params.token)
    const isDone = link !== null && (await applyNoticeLink(ctx, link))
    return renderNoticePage(ctx, request, reply, link, isDone ? (`${link.act}Done` as const) : 'gone')
  })
}

type Outcome = 'confirm' | 'confirmDone' | 'unsubscribe' | 'unsubscribeDone' | 'gone'

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
  const button =
    shown === 'confirm' || shown === 'unsubscribe'
      ? html`<form method="post"><button>${t(`${shown}_button`)}</button></form>`
      : null
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
