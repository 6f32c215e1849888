import type { FastifyRequest } from 'fastify'
import { isForeignWrite, isWrite } from '../../access/same-origin-hook.ts'
import { logFailedSignIn } from '../../access/sign-in-log-hook.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { isOutdatedLink } from '../../events/outdated-links.ts'
import {
  type Entry,
  enterByLink,
  enterByPassword,
  equalsInConstantTime,
  getOpenEvent,
} from '../../gallery-access/enter-gallery.ts'
import { createReturningGuestFinder } from '../../gallery-access/guest-identity-request.ts'
import { type OpenGallery, openGallery } from '../../gallery-access/open-gallery-request.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { assertGuestLink, redeemGuestLink } from '../entering/guest-device-links.ts'
import type { GalleryContext } from '../gallery-context.ts'

export type Visit =
  | { show: 'gallery'; gallery: OpenGallery; entry: Entry | null }
  | PasswordVisit
  /** `hasForm`: after the password form, which has set the test cookie. */
  | { show: 'elsewhere'; path: string; entry: Entry; hasForm: boolean }
  | { show: 'present address'; path: string }
  /** `link`: null if it cannot be used, or after too many failures. */
  | { show: 'continue'; event: EventRow; link: ContinueLink | null; isForeign: boolean }

export type PasswordVisit = {
  show: 'password'
  form: PasswordForm
  appError: AppError | null
  /** Whether the entered text began with a capital letter, which phones insert automatically. Only after a failure. */
  beginsWithCapital?: boolean
}
export type PasswordForm = { slug: string; shareToken: string }
export type ContinueLink = { slug: string; linkToken: string }

/**
 * A link that was valid before leads to the password of the gallery, and gives nothing else. Throws NOT_FOUND,
 * GALLERY_EXPIRED or INVALID_CREDENTIALS.
 */
export async function visitByLink(ctx: GalleryContext, request: FastifyRequest, link: PasswordForm): Promise<Visit> {
  try {
    const visit = await openOrEnter(ctx, request, link)
    return visit === 'password' ? { show: 'password', form: link, appError: null } : visit
  } catch (error) {
    if (isRejection(error) && (await leadsToPassword(ctx, link))) return visitBySlug(ctx, request, link.slug)
    throw error
  }
}

/** Without a password, a link that was valid before opens nothing. */
async function leadsToPassword(
  { db, galleries }: GalleryContext,
  { slug, shareToken }: PasswordForm,
): Promise<boolean> {
  const event = await galleries.event(slug)
  return event?.require_password === 1 && isOutdatedLink(db, event.id, shareToken)
}

/** Throws NOT_FOUND, GALLERY_EXPIRED, and INVALID_CREDENTIALS if the settings require the full link. */
export async function visitBySlug(ctx: GalleryContext, request: FastifyRequest, slug: string): Promise<Visit> {
  const visit = await openOrEnter(ctx, request, { slug, shareToken: null })
  if (visit !== 'password') return visit
  const { gallery_password_needs_link: needsLink } = await ctx.settings.values()
  if (needsLink) throw new AppError('INVALID_CREDENTIALS')
  return { show: 'password', form: { slug, shareToken: '' }, appError: null }
}

/** With a valid session, the link is not needed. */
async function openOrEnter(
  ctx: GalleryContext,
  request: FastifyRequest,
  link: { slug: string; shareToken: string | null },
): Promise<Visit | 'password'> {
  const opened = await openGallery(ctx, request, link.slug).catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
  if (opened) return { show: 'gallery', gallery: opened, entry: null }
  const entry = await enterByLink(ctx, link, createReturningGuestFinder(ctx, request))
  if (entry === 'password') return 'password'
  const { event, guest } = entry
  return { show: 'gallery', gallery: { event, viewer: { kind: 'guest', guest } }, entry }
}

/**
 * The response to a form of another site is the password form. The visit does not enter the gallery, so the other site
 * cannot change which guest the browser is.
 */
export async function visitByPassword(
  ctx: GalleryContext,
  request: FastifyRequest,
  form: PasswordForm,
  password: string,
): Promise<Visit> {
  const { slug, shareToken } = form
  if (isForeignWrite(request, await ctx.settings.publicUrl())) {
    return { show: 'password', form, appError: new AppError('CROSS_ORIGIN') }
  }
  const attempt = { slug, password, shareToken: shareToken || null, ip: request.ip }
  try {
    const entry = await enterByPassword(ctx, attempt, createReturningGuestFinder(ctx, request))
    const hasLink = equalsInConstantTime(shareToken, entry.event.share_token)
    const path = `/gallery/${entry.event.slug}${hasLink ? `/${shareToken}` : ''}`
    return { show: 'elsewhere', path, entry, hasForm: true }
  } catch (error) {
    logFailedSignIn(request, error)
    const beginsWithCapital = /^\s*[\p{Lu}\p{Lt}]/u.test(password)
    if (isRejection(error)) return { show: 'password', form, appError: error, beginsWithCapital }
    throw error
  }
}

const isRejection = (error: unknown): error is AppError =>
  error instanceof AppError && ['INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(error.code)

/**
 * Only the button of the page consumes the link. The preview of a messenger or a form on another site does not. Throws
 * NOT_FOUND and GALLERY_EXPIRED.
 */
export async function visitToContinue(
  ctx: GalleryContext,
  request: FastifyRequest,
  link: ContinueLink,
): Promise<Visit> {
  const event = await getOpenEvent(ctx, link.slug)
  try {
    const isForeign = isForeignWrite(request, await ctx.settings.publicUrl())
    if (!isWrite(request) || isForeign) {
      await assertGuestLink(ctx, event, link.linkToken)
      return { show: 'continue', event, link, isForeign }
    }
    const entry = await redeemGuestLink(ctx, request.ip, event, link.linkToken)
    return { show: 'elsewhere', path: `/gallery/${event.slug}`, entry, hasForm: false }
  } catch (error) {
    if (isRejection(error)) return { show: 'continue', event, link: null, isForeign: false }
    throw error
  }
}
