import type { FastifyReply, FastifyRequest } from 'fastify'
import { galleryCookie, sessionCookie } from '../access/cookies.ts'
import type { EventRow } from '../events/event-rows.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Entry } from './enter-gallery.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { galleryPage, messagePage, type PageFrame, pageSize, passwordPage } from './gallery-page.ts'
import { textsFor } from './gallery-texts.ts'
import type { Visit } from './gallery-visits.ts'
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
  if (visit.show !== 'password' && visit.entry) keepSession(house, request, reply, visit.entry)
  switch (visit.show) {
    case 'elsewhere':
      reply.redirect(visit.path, 303)
      return null
    case 'password':
      if (visit.refusal) reply.code(visit.refusal.status)
      if (visit.refusal?.extras.retryAfterSeconds) reply.header('retry-after', visit.refusal.extras.retryAfterSeconds)
      return passwordPage(await frameOf(house, request, await knownToGuests(house, visit.form.slug)), visit)
    case 'gallery':
      return showGallery(house, request, visit.gallery, page)
  }
}

async function showGallery(house: GalleryHouse, request: FastifyRequest, gallery: OpenGallery, page: number) {
  const { photos, total, isBeforeReveal } = await listGallery(house, gallery, { page, limit: pageSize })
  const { event } = gallery
  const content = { event, photos, total, page, pages: Math.ceil(total / pageSize), isBeforeReveal }
  return galleryPage(await frameOf(house, request, event), content)
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

function keepSession(house: GalleryHouse, request: FastifyRequest, reply: FastifyReply, { event, token }: Entry): void {
  reply.setCookie(galleryCookie(event.id), token, sessionCookie(request, house.config.publicUrl))
}

/** The event whose name a password form may show; drafts and archived ones do not exist for guests. */
async function knownToGuests({ galleries }: GalleryHouse, slug: string): Promise<EventRow | null> {
  const event = await galleries.event(slug)
  return event && event.is_draft === 0 && event.is_archived === 0 ? event : null
}

async function frameOf(house: GalleryHouse, request: FastifyRequest, event: EventRow | null): Promise<PageFrame> {
  const settings = await house.settings.values()
  const texts = textsFor(request, settings.general_default_language)
  return { settings, texts, title: event?.event_name ?? '', theme: event?.theme_preset ?? 'classic' }
}
