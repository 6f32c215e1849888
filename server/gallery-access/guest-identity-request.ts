import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GuestCaller } from '../access/callers.ts'
import { galleryCookie, guestCookie, sessionCookie } from '../access/cookies.ts'
import { guestTokenSeconds } from '../access/guest-tokens.ts'
import { gallerySessionSeconds } from '../events/event-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Entry, FindReturningGuest } from './enter-gallery.ts'
import type { GalleryAccessContext } from './gallery-access-context.ts'

/** The returned function ignores an invalid cookie, but throws INVALID_TOKEN for an invalid `X-Guest-Token`. */
export const createReturningGuestFinder =
  (ctx: GalleryAccessContext, request: FastifyRequest): FindReturningGuest =>
  (eventId) =>
    readGuestHeader(ctx, request, eventId) ??
    ctx.access.guestTokens.read(request.cookies[guestCookie(eventId)] ?? '', eventId)

/** Replaces the guest of the session by that of `X-Guest-Token`, and a merged guest by the one it was merged into. */
export async function resolveActingGuest(
  ctx: GalleryAccessContext,
  request: FastifyRequest,
  guest: GuestCaller,
): Promise<GuestCaller> {
  const guestId = readGuestHeader(ctx, request, guest.eventId) ?? guest.guestId
  return { ...guest, guestId: await ctx.mergedGuests.resolveMerged(guest.eventId, guestId) }
}

export function setEntryCookies(
  ctx: GalleryAccessContext,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Entry,
): void {
  const { event, guest, token } = entry
  const options = sessionCookie(request, ctx.config.publicUrl, gallerySessionSeconds(event))
  reply.setCookie(galleryCookie(event.id), token, options)
  const guestToken = ctx.access.guestTokens.sign(guest)
  reply.setCookie(guestCookie(event.id), guestToken, { ...options, maxAge: guestTokenSeconds })
}

/** Throws INVALID_TOKEN for an invalid header, because feedback must not go to the wrong guest. */
function readGuestHeader(
  { access }: GalleryAccessContext,
  { headers: { 'x-guest-token': token } }: FastifyRequest,
  eventId: number,
): string | null {
  if (token === undefined) return null
  const guestId = access.guestTokens.read(String(token), eventId)
  if (guestId === null)
    throw new AppError('INVALID_TOKEN', { text: 'The X-Guest-Token belongs to another gallery or is invalid.' })
  return guestId
}
