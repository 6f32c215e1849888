import { fileURLToPath } from 'node:url'
import formbody from '@fastify/formbody'
import serveStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Slug } from '../../contract/gallery.ts'
import { Page } from '../../contract/shapes.ts'
import { galleryCookie, sessionCookie } from '../access/cookies.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Http } from '../platform/http/create-http.ts'
import { pageSecurityPolicy } from '../platform/http/security-headers.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Entry, enterByLink, enterByPassword, entryOf, isSame } from './enter-gallery.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { galleryPage, messagePage, type PageFrame, pageSize, passwordPage } from './gallery-page.ts'
import { textsFor } from './gallery-texts.ts'
import { listGallery } from './list-gallery.ts'
import { openGallery } from './open-gallery.ts'
import { judgeState } from './viewing-rules.ts'

const assetsFolder = fileURLToPath(new URL('../../web/assets', import.meta.url))

const LinkParams = Type.Object({ slug: Slug, share_token: Type.String({ maxLength: 200 }) })
const PageQuery = Type.Object({ page: Page })
const EnterForm = Type.Object({
  password: Type.String({ maxLength: 200 }),
  share_token: Type.Optional(Type.String({ maxLength: 200 })),
})

/** `/gallery/{slug}/{share_token}`: what a guest's browser opens. Rendered here, works without script. */
export const galleryPageApi = (house: GalleryHouse) => async (app: Http) => {
  await app.register(serveStatic, { root: assetsFolder, prefix: '/assets/', maxAge: 0, decorateReply: false })
  await app.register(formbody, { bodyLimit: 10_000 })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': pageSecurityPolicy,
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
    })
  })

  app.get(
    '/gallery/:slug/:share_token',
    { schema: { params: LinkParams, querystring: PageQuery } },
    async (request, reply) => {
      const { slug, share_token: shareToken } = request.params
      return answerPage(house, request, reply, async () => {
        const entry = await enterByLink(house, slug, shareToken)
        if (entry === 'password') {
          // Whoever gave the password before is still in.
          const isInside = await openGallery(house, request, slug).then(() => true, asFalse)
          if (!isInside) return passwordForm(house, request, { slug, shareToken, isWrong: false })
        } else {
          await keepOrEnter(house, request, reply, entry)
        }
        return renderGallery(house, request, slug, request.query.page)
      })
    },
  )

  app.get(
    '/gallery/:slug',
    { schema: { params: Type.Object({ slug: Slug }), querystring: PageQuery } },
    async (request, reply) =>
      answerPage(house, request, reply, async () => {
        const { slug } = request.params
        const isInside = await openGallery(house, request, slug).then(() => true, asFalse)
        if (!isInside) {
          const event = await openToGuests(house, slug)
          if (!event) throw new Refusal('NOT_FOUND')
          if (event.require_password === 1)
            return passwordForm(house, request, { slug, shareToken: '', isWrong: false })
          const { gallery_allow_slug_only: mayOpenBySlug } = await house.settings.values()
          if (mayOpenBySlug) enter(house, request, reply, entryOf(house, event))
        }
        return renderGallery(house, request, slug, request.query.page)
      }),
  )

  app.post(
    '/gallery/:slug/enter',
    { schema: { params: Type.Object({ slug: Slug }), body: EnterForm } },
    async (request, reply) =>
      answerPage(house, request, reply, async () => {
        const { slug } = request.params
        const { password, share_token: shareToken = '' } = request.body
        try {
          const { event, token } = await enterByPassword(house, { slug, password, shareToken: shareToken || null })
          reply.setCookie(galleryCookie(event.id), token, sessionCookie(request, house.config.publicUrl))
          const hasLink = isSame(shareToken, event.share_token)
          return reply.redirect(`/gallery/${event.slug}${hasLink ? `/${shareToken}` : ''}`, 303)
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== 'INVALID_CREDENTIALS') throw error
          reply.code(401)
          return passwordForm(house, request, { slug, shareToken, isWrong: true })
        }
      }),
  )
}

/** Refusals become kind pages: nobody who opens a link should see JSON. */
async function answerPage(
  house: GalleryHouse,
  request: FastifyRequest,
  reply: FastifyReply,
  render: () => Promise<string | FastifyReply>,
): Promise<FastifyReply> {
  const page = await render().catch(async (error) => {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const isExpired = error.code === 'GALLERY_EXPIRED'
    reply.code(isExpired ? 410 : 404)
    const { texts, ...frame } = await frameOf(house, request, null)
    const title = isExpired ? texts.expiredTitle : texts.notFoundTitle
    return messagePage({ ...frame, texts, title }, isExpired ? texts.expired : texts.notFound)
  })
  return typeof page === 'string' ? reply.type('text/html; charset=utf-8').send(page) : page
}

async function renderGallery(
  house: GalleryHouse,
  request: FastifyRequest,
  slug: string,
  page: number,
): Promise<string> {
  const gallery = await openGallery(house, request, slug)
  const { photos, total, isBeforeReveal } = await listGallery(house, gallery, { page, limit: pageSize })
  const { event } = gallery
  return galleryPage(await frameOf(house, request, event), {
    event,
    photos,
    total,
    page,
    pages: Math.ceil(total / pageSize),
    isBeforeReveal,
  })
}

async function passwordForm(
  house: GalleryHouse,
  request: FastifyRequest,
  form: { slug: string; shareToken: string; isWrong: boolean },
): Promise<string> {
  return passwordPage(await frameOf(house, request, await openToGuests(house, form.slug)), form)
}

async function frameOf(
  house: GalleryHouse,
  request: FastifyRequest,
  event: { event_name: string; theme_preset: string } | null,
): Promise<PageFrame> {
  const settings = await house.settings.values()
  const texts = textsFor(request, settings.general_default_language)
  return { settings, texts, title: event?.event_name ?? '', theme: event?.theme_preset ?? 'classic' }
}

/** A guest who comes back keeps the session; the pictures of the page are asked for with its cookie. */
async function keepOrEnter(house: GalleryHouse, request: FastifyRequest, reply: FastifyReply, { event, token }: Entry) {
  const isInside = await openGallery(house, request, event.slug).then(() => true, asFalse)
  if (!isInside) enter(house, request, reply, { event, token })
}

/** Sets the session's cookie, and lets the rest of this very request be seen with it. */
function enter(house: GalleryHouse, request: FastifyRequest, reply: FastifyReply, { event, token }: Entry): void {
  reply.setCookie(galleryCookie(event.id), token, sessionCookie(request, house.config.publicUrl))
  request.cookies[galleryCookie(event.id)] = token
}

/** The event, unless it does not exist for guests; throws GALLERY_EXPIRED. */
async function openToGuests(house: GalleryHouse, slug: string): Promise<EventRow | null> {
  const event = await house.galleries.event(slug)
  if (!event || event.is_draft === 1 || event.is_archived === 1) return null
  judgeState(event, false, house.clock.now())
  return event
}

function asFalse(error: unknown): false {
  if (error instanceof Refusal) return false
  throw error
}
