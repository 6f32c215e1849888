import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventRow } from '../events/event-rows.ts'
import { Refusal } from '../platform/refusal.ts'
import { coverUrl } from './cover-picture.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { continuePage, galleryPage, messagePage, type PageFrame, pageSize, passwordPage } from './gallery-page.ts'
import { textsFor } from './gallery-texts.ts'
import type { Visit } from './gallery-visits.ts'
import { keepEntry } from './guest-identity.ts'
import { listGallery } from './list-gallery.ts'
import type { OpenGallery } from './open-gallery.ts'

/** Answers a visit with its page. Refusals become kind pages: nobody who opens a link should see JSON. */
export async function answerVisit(
  house: GalleryHouse,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Promise<Visit>,
  page = 1,
): Promise<FastifyReply> {
  const markup = await visit
    .then((found) => show(house, request, reply, found, page))
    .catch((error) => showRefusal(house, request, reply, error))
  return markup === null ? reply : reply.type('text/html; charset=utf-8').send(markup)
}

/** The page; null where the browser is sent elsewhere. */
async function show(
  house: GalleryHouse,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  page: number,
): Promise<string | null> {
  if ('entry' in visit && visit.entry) keepEntry(house, request, reply, visit.entry)
  switch (visit.show) {
    case 'elsewhere':
      reply.redirect(visit.path, 303)
      return null
    case 'password':
      if (visit.refusal) reply.code(visit.refusal.status)
      if (visit.refusal?.extras.retryAfterSeconds) reply.header('retry-after', visit.refusal.extras.retryAfterSeconds)
      return passwordPage(await frameOf(house, request, await knownToGuests(house, visit.form.slug)), visit)
    case 'continue':
      if (!visit.link) reply.code(404)
      return continuePage(await frameOf(house, request, visit.event), visit.link)
    case 'gallery':
      return showGallery(house, request, visit.gallery, page)
  }
}

async function showGallery(house: GalleryHouse, request: FastifyRequest, gallery: OpenGallery, page: number) {
  const { photos, total, isBeforeReveal } = await listGallery(house, gallery, { page, limit: pageSize })
  const { event } = gallery
  const content = { event, photos, total, page, pages: Math.ceil(total / pageSize), isBeforeReveal }
  const frame = await frameOf(house, request, event)
  const { share_token: shareToken = null } = request.params as { share_token?: string }
  return galleryPage({ ...frame, pictureUrl: await coverUrl(house, event, shareToken) }, content)
}

async function showRefusal(house: GalleryHouse, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  if (!(error instanceof Refusal) || error.status >= 500) throw error
  const isExpired = error.code === 'GALLERY_EXPIRED'
  reply.code(isExpired ? 410 : 404)
  const frame = await frameOf(house, request, null)
  const { texts } = frame
  const title = isExpired ? texts.expiredTitle : texts.notFoundTitle
  return messagePage({ ...frame, title }, isExpired ? texts.expired : texts.notFound)
}

/** The event whose name a password form may show; drafts and archived ones do not exist for guests. */
async function knownToGuests({ galleries }: GalleryHouse, slug: string): Promise<EventRow | null> {
  const event = await galleries.event(slug)
  return event && event.is_draft === 0 && event.is_archived === 0 ? event : null
}

async function frameOf(house: GalleryHouse, request: FastifyRequest, event: EventRow | null): Promise<PageFrame> {
  const settings = await house.settings.values()
  const texts = textsFor(request, settings.general_default_language)
  const logo = await house.settings.logo()
  return { settings, logo, texts, title: event?.event_name ?? '', theme: event?.theme_preset ?? 'classic' }
}
