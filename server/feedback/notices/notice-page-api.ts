import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type EventRow, findEvent } from '../../events/event-rows.ts'
import { getTypeface } from '../../events/event-rules.ts'
import { getOpenEvent, leadsInBySlug } from '../../gallery-access/enter-gallery.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { openGallery } from '../../gallery-access/open-gallery-request.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { html } from '../../platform/html/html.ts'
import { renderPage } from '../../platform/html/page-document.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { pageSecurityPolicy } from '../../platform/http/security-headers.ts'
import { acceptLanguage, getTranslator } from '../../platform/text/messages.ts'
import { brandOptions, loadBrand, studioMark } from '../../settings/brand-markup.ts'
import {
  createNoticeLink,
  type NoticeLink,
  type OpenLink,
  readNoticeLink,
  type SubscriptionLink,
} from './notice-links.ts'
import { applyNoticeLink, operators } from './notice-rows.ts'

const Form = Type.Object({ again: Type.Optional(Type.String({ maxLength: 1 })) })

export const TokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 1000 }) })

/**
 * `/mails/{token}`: a page with one button, because mail scanners open links too, or the way to the gallery. It works
 * without JavaScript.
 */
export const noticePageApi = (ctx: GalleryAccessContext) => async (app: Http) => {
  await app.register(formbody, { bodyLimit: 1000 })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': pageSecurityPolicy,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
  })

  app.get('/mails/:token', { schema: { params: TokenParams } }, async (request, reply) => {
    const link = readNoticeLink(ctx, request.params.token)
    if (link && canChange(link)) return renderNoticePage(ctx, request, reply, link, link.act)
    if (link?.act !== 'open') return renderNoticePage(ctx, request, reply, null, 'gone')
    const found = await findWay(ctx, request, link)
    if ('path' in found) return reply.redirect(found.path, 302)
    return renderNoticePage(ctx, request, reply, link, found.outcome)
  })

  app.post('/mails/:token', { schema: { params: TokenParams, body: Form } }, async (request, reply) => {
    const link = readNoticeLink(ctx, request.params.token)
    if (!link || !canChange(link)) return renderNoticePage(ctx, request, reply, null, 'gone')
    const isAgain = request.body?.again === '1'
    const isDone = await applyNoticeLink(ctx, link, isAgain)
    const done = isAgain ? 'confirmDone' : (`${link.act}Done` as const)
    return renderNoticePage(ctx, request, reply, link, isDone ? done : 'gone')
  })
}

const canChange = (link: NoticeLink): link is SubscriptionLink => link.act === 'confirm' || link.act === 'unsubscribe'

/** Returns the path if the gallery opens for this browser without the secret of its link. */
async function findWay(
  ctx: GalleryAccessContext,
  request: FastifyRequest,
  { eventId, photoId }: OpenLink,
): Promise<{ path: string } | { outcome: 'open' | 'gone' }> {
  const event = await findOpenEvent(ctx, eventId)
  if (!event) return { outcome: 'gone' }
  const canEnter =
    (await leadsInBySlug(ctx, event)) || (await openGallery(ctx, request, event.slug).catch(noneIfRejected))
  return canEnter
    ? { path: `/gallery/${event.slug}${photoId === null ? '' : `?photo=${photoId}`}` }
    : { outcome: 'open' }
}

/** Returns null for a gallery that guests cannot open now. */
export async function findOpenEvent(ctx: GalleryAccessContext, id: number): Promise<EventRow | null> {
  const found = await findEvent(ctx.db, id)
  return found ? getOpenEvent(ctx, found.slug).catch(noneIfRejected) : null
}

function noneIfRejected(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

type Outcome = 'confirm' | 'confirmDone' | 'unsubscribe' | 'unsubscribeDone' | 'open' | 'gone'

const forms: Partial<
  Record<Outcome, { label: 'confirm_button' | 'unsubscribe_button' | 'again_button'; isAgain: boolean }>
> = {
  confirm: { label: 'confirm_button', isAgain: false },
  unsubscribe: { label: 'unsubscribe_button', isAgain: false },
  unsubscribeDone: { label: 'again_button', isAgain: true },
}

export async function renderNoticePage(
  ctx: GalleryAccessContext,
  request: FastifyRequest,
  reply: FastifyReply,
  link: NoticeLink | null,
  outcome: Outcome,
): Promise<string> {
  const brand = await loadBrand(ctx.settings)
  const event = link === null ? undefined : await findEvent(ctx.db, link.eventId)
  const shown = event ? outcome : 'gone'
  const ofGuests = link?.guestId ? event?.language : null
  const { locale, t } = getTranslator(
    'mails',
    acceptLanguage(request, ofGuests ?? brand.settings.general_default_language),
  )
  reply.code(shown === 'gone' ? 404 : 200).type('text/html; charset=utf-8')
  const title = t(`${shown}_title`)
  const form = forms[shown]
  const hidden = form?.isAgain ? html`<input type="hidden" name="again" value="1">` : null
  const button = form ? html`<form method="post">${hidden}<button>${t(form.label)}</button></form>` : null
  const gallery =
    link !== null && link.guestId !== operators && shown.endsWith('Done')
      ? createNoticeLink(ctx, '', { act: 'open', eventId: link.eventId, guestId: link.guestId, photoId: null })
      : null
  const back = gallery && html`<p><a href="${gallery}">${t('openGallery')}</a></p>`
  return renderPage({
    locale,
    title,
    root: 'theme-classic',
    ...(event && { typeface: getTypeface(event) }),
    ...brandOptions(brand, 'classic'),
    head: null,
    body: html`<main class="card">
${studioMark(brand)}<h1>${title}</h1>
<p>${t(`${shown}_text`, { event: event?.event_name ?? '' })}</p>
${button}
${back}
</main>`,
  }).markup
}
