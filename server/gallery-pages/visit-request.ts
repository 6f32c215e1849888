import type { FastifyRequest } from 'fastify'
import { isCrossSite, isWrite } from '../access/same-origin-hook.ts'
import type { EventRow } from '../events/event-rows.ts'
import { type Entry, enterByLink, enterByPassword, equalsInConstantTime } from '../gallery/enter-gallery.ts'
import type { GalleryContext } from '../gallery/gallery-context.ts'
import { createReturningGuestFinder } from '../gallery/guest-identity-request.ts'
import { type OpenGallery, openGallery } from '../gallery/open-gallery-request.ts'
import { assertGalleryState } from '../gallery/viewing-rules.ts'
import { assertGuestLink, type ContinueLink, redeemGuestLink } from '../guests/guest-device-links.ts'
import { AppError } from '../platform/app-error.ts'

export type Visit =
  | { show: 'gallery'; gallery: OpenGallery; entry: Entry | null }
  | { show: 'password'; form: PasswordForm; appError: AppError | null }
  | { show: 'elsewhere'; path: string; entry: Entry }
  /** Null if the link can no longer be used. */
  | { show: 'continue'; event: EventRow; link: ContinueLink | null }

export type PasswordForm = { slug: string; shareToken: string }

/** Throws NOT_FOUND, GALLERY_EXPIRED or INVALID_CREDENTIALS. */
export async function visitByLink(ctx: GalleryContext, request: FastifyRequest, link: PasswordForm): Promise<Visit> {
  const openedGallery = await findOpenGallery(ctx, request, link.slug)
  if (openedGallery) return { show: 'gallery', gallery: openedGallery, entry: null }
  const entry = await enterByLink(ctx, link, createReturningGuestFinder(ctx, request))
  return entry === 'password' ? { show: 'password', form: link, appError: null } : createEntryVisit(entry)
}

/** Throws INVALID_CREDENTIALS where entering by slug is not allowed, or a password works only with the full link. */
export async function visitBySlug(ctx: GalleryContext, request: FastifyRequest, slug: string): Promise<Visit> {
  const openedGallery = await findOpenGallery(ctx, request, slug)
  if (openedGallery) return { show: 'gallery', gallery: openedGallery, entry: null }
  const entry = await enterByLink(ctx, { slug, shareToken: null }, createReturningGuestFinder(ctx, request))
  if (entry !== 'password') return createEntryVisit(entry)
  const { gallery_password_needs_link: needsLink } = await ctx.settings.values()
  if (needsLink) throw new AppError('INVALID_CREDENTIALS')
  return { show: 'password', form: { slug, shareToken: '' }, appError: null }
}

export async function visitByPassword(
  ctx: GalleryContext,
  request: FastifyRequest,
  form: PasswordForm,
  password: string,
): Promise<Visit> {
  const { slug, shareToken } = form
  const attempt = {
    slug,
    password,
    shareToken: shareToken || null,
    ip: request.ip,
    findReturningGuest: createReturningGuestFinder(ctx, request),
  }
  const entry = await enterByPassword(ctx, attempt).catch((error) => {
    if (error instanceof AppError && ['INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(error.code)) return error
    throw error
  })
  if (entry instanceof AppError) return { show: 'password', form, appError: entry }
  const hasLink = equalsInConstantTime(shareToken, entry.event.share_token)
  return { show: 'elsewhere', path: `/gallery/${entry.event.slug}${hasLink ? `/${shareToken}` : ''}`, entry }
}

/**
 * Only the button of the page consumes the link, neither a messenger's preview nor a form on another site. Throws
 * NOT_FOUND and GALLERY_EXPIRED.
 */
export async function visitToContinue(
  ctx: GalleryContext,
  request: FastifyRequest,
  link: ContinueLink,
): Promise<Visit> {
  const event = await getOpen(ctx, link.slug)
  try {
    if (!isWrite(request) || isCrossSite(request)) {
      await assertGuestLink(ctx, event, link)
      return { show: 'continue', event, link }
    }
    const entry = await redeemGuestLink(ctx, request.ip, event, link)
    return { show: 'elsewhere', path: `/gallery/${event.slug}`, entry }
  } catch (error) {
    const isUsedUp = error instanceof AppError && ['INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(error.code)
    if (isUsedUp) return { show: 'continue', event, link: null }
    throw error
  }
}

async function getOpen({ galleries, clock }: GalleryContext, slug: string): Promise<EventRow> {
  const event = await galleries.event(slug)
  if (!event) throw new AppError('NOT_FOUND')
  assertGalleryState(event, false, clock.now())
  return event
}

const createEntryVisit = (entry: Entry): Visit => ({
  show: 'gallery',
  gallery: { event: entry.event, viewer: { kind: 'guest', guest: entry.guest } },
  entry,
})

/** Returns null without a valid session. */
function findOpenGallery(ctx: GalleryContext, request: FastifyRequest, slug: string): Promise<OpenGallery | null> {
  return openGallery(ctx, request, slug).catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
}
