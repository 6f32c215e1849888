import type { IncomingMessage, ServerResponse } from 'node:http'
import { galleryCookie } from '../access/cookies.ts'
import { assertAssignment } from '../access/customers/customer-state.ts'
import { assertGalleryState, assertGuestSession, assertViewable } from '../gallery-access/viewing-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { type FastPath, requestIdOf } from '../platform/http/create-http.ts'
import { matches } from '../platform/http/send-file.ts'
import type { CachedThumbnail, GalleryContext } from './gallery-context.ts'

const prefix = '/api/gallery/'
const middle = '/thumbnail/'

/**
 * Sends a thumbnail to a guest if session, guest, event, photo and bytes are all in memory. Every other request, and every
 * rejection, takes the regular path.
 */
export const thumbnailFastPath = (ctx: GalleryContext, isDraining: () => boolean): FastPath => ({
  route: '/api/gallery/:slug/thumbnail/:photo_id',
  handle: createHandler(ctx, isDraining),
})

const createHandler =
  (ctx: GalleryContext, isDraining: () => boolean): FastPath['handle'] =>
  (request, response) => {
    if (request.method !== 'GET' || isDraining() || request.headers.origin || request.headers.range) return false
    // The regular path resolves the guest of this header.
    if (request.headers['x-guest-token'] !== undefined) return false
    const target = parseThumbnailUrl(request.url ?? '')
    if (!target) return false
    const event = ctx.galleries.knownEvent(target.slug)
    const photo = ctx.galleries.knownPhoto(target.photoId)
    const thumbnail = photo?.thumbnail_filename ? ctx.thumbnailCache.get(photo.thumbnail_filename) : undefined
    if (!event || !photo || !thumbnail) return false
    const token = readSessionToken(request, event.id)
    const guest = token ? ctx.access.cachedGuest(token) : null
    if (!guest || !ctx.mergedGuests.isKnown(guest.guestId)) return false
    try {
      const now = ctx.clock.now()
      assertGalleryState(event, false, now)
      assertGuestSession(event, guest)
      if (guest.customer) {
        assertAssignment(ctx.customers.cachedAssignment(guest.customer.customerId, event.id), guest.customer)
      }
      assertViewable(event, photo, { kind: 'guest' }, 'thumbnail', now)
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
    sendThumbnailResponse(request, response, thumbnail)
    return true
  }

function sendThumbnailResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { body, etag, headers }: CachedThumbnail,
): void {
  const sent = [...headers, 'x-request-id', requestIdOf(request)]
  if (matches(request.headers['if-none-match'], etag)) response.writeHead(304, sent).end()
  else response.writeHead(200, [...sent, 'content-length', String(body.length)]).end(body)
}

function parseThumbnailUrl(url: string): { slug: string; photoId: number } | null {
  if (!url.startsWith(prefix)) return null
  const slugEnd = url.indexOf('/', prefix.length)
  if (slugEnd < 0 || !url.startsWith(middle, slugEnd)) return null
  const id = url.slice(slugEnd + middle.length)
  const photoId = Number(id)
  if (!Number.isSafeInteger(photoId) || String(photoId) !== id) return null
  return { slug: url.slice(prefix.length, slugEnd), photoId }
}

function readSessionToken({ headers: { authorization, cookie } }: IncomingMessage, eventId: number): string | null {
  if (authorization !== undefined) return authorization.startsWith('Bearer ') ? authorization.slice(7) : null
  if (cookie === undefined) return null
  const name = `${galleryCookie(eventId)}=`
  const start = cookie.startsWith(name) ? 0 : cookie.indexOf(`; ${name}`) + 2
  if (start === 1) return null
  const end = cookie.indexOf(';', start)
  return cookie.slice(start + name.length, end < 0 ? undefined : end)
}
