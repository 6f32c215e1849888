import type { FastifyReply, FastifyRequest } from 'fastify'
import { Value } from 'typebox/value'
import { GalleryFilterQuery, GallerySortQuery } from '../../contract/gallery.ts'
import type { GalleryAsked } from '../../contract/gallery-page.ts'
import { photoNamed } from '../../contract/gallery-tiles.ts'
import type { EventRow } from '../events/event-rows.ts'
import { AppError } from '../platform/app-error.ts'
import type { Page } from '../platform/http/page-document.ts'
import { languageLinks } from './choose-language.ts'
import type { GalleryContext } from './gallery-context.ts'
import { galleryPage } from './gallery-page.ts'
import { voiceFor } from './gallery-texts.ts'
import type { Visit } from './gallery-visits.ts'
import { gatherGalleryPage } from './gather-gallery-page.ts'
import { keepEntry } from './guest-identity.ts'
import { continuePage, messagePage, passwordPage } from './kind-pages.ts'
import { isPreviewRequest } from './mere-look.ts'
import type { OpenGallery } from './open-gallery.ts'
import type { PageFrame } from './page-frame.ts'
import { pageSize } from './page-size.ts'

export type PageQuery = Record<string, unknown>

/** Sends the page of a visit. AppErrors of status 4xx become pages for people, never JSON. */
export async function answerVisit(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Promise<Visit>,
  query: PageQuery = {},
): Promise<FastifyReply> {
  const page = await visit
    .then((found) => show(ctx, request, reply, found, query))
    .catch((error) => showError(ctx, request, reply, error))
  if (page === null) return reply
  return reply.header('content-security-policy', page.securityPolicy).type('text/html; charset=utf-8').send(page.markup)
}

async function show(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  query: PageQuery,
): Promise<Page | null> {
  if ('entry' in visit && visit.entry && !isPreviewRequest(request)) {
    ctx.counts.entered(visit.entry.guest)
    keepEntry(ctx, request, reply, visit.entry)
  }
  switch (visit.show) {
    case 'elsewhere':
      reply.redirect(visit.path, 303)
      return null
    case 'password':
      if (visit.appError) reply.code(visit.appError.status)
      if (visit.appError?.extras.retryAfterSeconds) reply.header('retry-after', visit.appError.extras.retryAfterSeconds)
      return passwordPage(await frameOf(ctx, request, await knownToGuests(ctx, visit.form.slug)), visit)
    case 'continue':
      if (!visit.link) reply.code(404)
      return continuePage(await frameOf(ctx, request, visit.event), visit.link)
    case 'gallery':
      return showGallery(ctx, request, visit.gallery, query)
  }
}

async function showGallery(ctx: GalleryContext, request: FastifyRequest, gallery: OpenGallery, query: PageQuery) {
  const frame = await frameOf(ctx, request, gallery.event)
  const { share_token: shareToken = null } = request.params as { share_token?: string }
  const visit = {
    voice: frame.voice,
    shareToken,
    limit: pageSize,
    pageNumber: pageNumberIn(query),
    asked: askedIn(query),
    photoId: photoNamed(query.photo),
    isPreviewRequest: isPreviewRequest(request),
  }
  const content = await gatherGalleryPage(ctx, gallery, visit).catch((error) => {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') {
      return gatherGalleryPage(ctx, gallery, { ...visit, asked: {} })
    }
    throw error
  })
  return galleryPage(frame, content)
}

const AskedFields = { ...GalleryFilterQuery.properties, ...GallerySortQuery.properties }

/** Leaves out invalid values. */
function askedIn(query: PageQuery): GalleryAsked {
  const known = Object.entries(AskedFields).filter(
    ([key, shape]) => query[key] !== '' && !String(query[key]).includes('\0') && Value.Check(shape, query[key]),
  )
  return Object.fromEntries(known.flatMap(([key]) => (query[key] === undefined ? [] : [[key, query[key]]])))
}

const pageNumberIn = ({ page }: PageQuery): number =>
  typeof page === 'string' && /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1

async function showError(ctx: GalleryContext, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const isExpired = error.code === 'GALLERY_EXPIRED'
  reply.code(isExpired ? 410 : 404)
  const frame = await frameOf(ctx, request, null)
  const { t } = frame.voice
  const title = t(isExpired ? 'expiredTitle' : 'notFoundTitle')
  return messagePage({ ...frame, title }, isExpired ? 'expired' : 'unknown', t(isExpired ? 'expired' : 'notFound'))
}

/** The password form must not reveal the names of drafts and archived events. */
async function knownToGuests({ galleries }: GalleryContext, slug: string): Promise<EventRow | null> {
  const event = await galleries.event(slug)
  return event && event.is_draft === 0 && event.is_archived === 0 ? event : null
}

async function frameOf(ctx: GalleryContext, request: FastifyRequest, event: EventRow | null): Promise<PageFrame> {
  const settings = await ctx.settings.values()
  const voice = voiceFor(request, settings.general_default_language)
  const logo = await ctx.settings.logo()
  return {
    settings,
    logo,
    voice,
    languages: languageLinks(request),
    title: event?.event_name ?? '',
    theme: event?.theme_preset ?? 'classic',
    now: ctx.clock.now(),
  }
}
