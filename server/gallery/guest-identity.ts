import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GuestCaller } from '../access/callers.ts'
import { galleryCookie, guestCookie, sessionCookie } from '../access/cookies.ts'
import { guestTokenSeconds } from '../access/guest-tokens.ts'
import { AppError } from '../platform/app-error.ts'
import type { Entry } from './enter-gallery.ts'
import type { GalleryContext } from './gallery-context.ts'

/** Which guest of an event somebody has been before; null: none. Asked only once it is right that they enter. */
export type GuestClaim = (eventId: number) => string | null

/** By the header `X-Guest-Token`, else by the cookie of the browser. A forged or foreign cookie counts as none. */
export const claimIn =
  (ctx: GalleryContext, request: FastifyRequest): GuestClaim =>
  (eventId) =>
    statedGuest(ctx, request, eventId) ??
    ctx.access.guestTokens.read(request.cookies[guestCookie(eventId)] ?? '', eventId)

/** Who a session speaks for: whom the header names, else the guest it was given to, or whom that one was merged into. */
export async function guestBehind(
  ctx: GalleryContext,
  request: FastifyRequest,
  guest: GuestCaller,
): Promise<GuestCaller> {
  const guestId = statedGuest(ctx, request, guest.eventId) ?? guest.guestId
  return { ...guest, guestId: await ctx.mergedGuests.actingFor(guest.eventId, guestId) }
}

/** Keeps session and guest in the browser: the one for a day, the other for a year. */
export function keepEntry(ctx: GalleryContext, request: FastifyRequest, reply: FastifyReply, entry: Entry): void {
  const { event, guest, token } = entry
  const options = sessionCookie(request, ctx.config.publicUrl)
  reply.setCookie(galleryCookie(event.id), token, options)
  const guestToken = ctx.access.guestTokens.sign(guest)
  reply.setCookie(guestCookie(event.id), guestToken, { ...options, maxAge: guestTokenSeconds })
}

/** Nobody sends this header by accident: one that is not of this gallery is refused, so that no mark goes astray. */
function statedGuest(
  { access }: GalleryContext,
  { headers: { 'x-guest-token': token } }: FastifyRequest,
  eventId: number,
): string | null {
  if (token === undefined) return null
  const guestId = access.guestTokens.read(String(token), eventId)
  if (guestId === null) throw new AppError('INVALID_TOKEN', { text: 'The X-Guest-Token is not one of this gallery.' })
  return guestId
}
