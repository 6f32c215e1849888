import type { FastifyRequest } from 'fastify'
import { adminCookie, bearerOf, galleryCookie } from '../access/cookies.ts'
import { spend } from '../access/rate-limits.ts'
import { mayDo } from '../access/roles.ts'
import { isWrite, judgeCookieWrite } from '../access/same-origin.ts'
import { owns } from '../events/event-ownership.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Http } from '../platform/http/create-http.ts'
import { Refusal } from '../platform/refusal.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { judgeGuest, judgeState, type Viewer } from './viewing-rules.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `openForWrites`; only the writes of its scope may read it. */
    gallery: OpenGallery
  }
}

export type OpenGallery = { event: EventRow; viewer: Viewer }

type Credential = { token: string; via: 'header' | 'cookie' }

/**
 * Who stands before which gallery. One credential decides; the gallery's state is judged before it, so that a wrong
 * one never tells more than none (decisions §7). Throws NOT_FOUND, GALLERY_EXPIRED, then 401 and 403.
 */
export async function openGallery(house: GalleryHouse, request: FastifyRequest, slug: string): Promise<OpenGallery> {
  const event = await house.galleries.event(slug)
  if (!event) throw new Refusal('NOT_FOUND')
  const viewer = await viewerOf(house, request, event).catch((error) => asRefusal(error))
  const isOperator = !(viewer instanceof Refusal) && viewer.kind === 'operator'
  judgeState(event, isOperator, house.clock.now())
  if (viewer instanceof Refusal) throw viewer
  if (viewer.kind === 'guest') judgeGuest(event, viewer.guest)
  return { event, viewer }
}

/** Opens the gallery of every write of the scope ahead of its body. Throws RATE_LIMITED for a guest who changes too much. */
export function openForWrites(app: Http, house: GalleryHouse): void {
  app.addHook('onRequest', async (request) => {
    if (!isWrite(request)) return
    request.gallery = await openGallery(house, request, (request.params as { slug: string }).slug)
    const { viewer } = request.gallery
    if (viewer.kind === 'guest') await spend(house.access.limits.guestWrites(viewer.guest.guestId))
  })
}

async function viewerOf(house: GalleryHouse, request: FastifyRequest, event: EventRow): Promise<Viewer> {
  const credential = credentialOf(request, event.id)
  if (!credential) throw new Refusal('NO_TOKEN', { text: 'Open the gallery by its link first.' })
  const { token, via } = credential
  const visitor = await house.access.visitor(token, via)
  if (via === 'cookie') judgeCookieWrite(request, house.config.publicUrl)
  if ('guestId' in visitor) return { kind: 'guest', guest: visitor }

  if (visitor.user.must_change_password === 1) throw new Refusal('MUST_CHANGE_PASSWORD')
  const mayLookIn = mayDo(visitor.user.role, 'photos.view') && (await owns(house, visitor, event))
  if (!mayLookIn) throw new Refusal('FORBIDDEN')
  return { kind: 'operator' }
}

/** The header, else the gallery's cookie, else the admin's cookie where the request asks for the operator's view. */
function credentialOf(request: FastifyRequest, eventId: number): Credential | null {
  const bearer = bearerOf(request.headers.authorization)
  if (bearer) return { token: bearer, via: 'header' }
  const guestCookie = request.cookies[galleryCookie(eventId)]
  if (guestCookie) return { token: guestCookie, via: 'cookie' }
  const { as } = request.query as { as?: unknown }
  const operatorCookie = request.cookies[adminCookie]
  const asOperator = as === 'operator' || request.headers['x-operator-view'] === '1'
  return operatorCookie && asOperator ? { token: operatorCookie, via: 'cookie' } : null
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
