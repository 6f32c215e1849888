import type { FastifyRequest } from 'fastify'
import type { GuestCaller } from '../access/callers.ts'
import { adminCookie, galleryCookie, parseBearerToken } from '../access/cookies.ts'
import { assertAssignment } from '../access/customers/customer-state.ts'
import { limitRequest } from '../access/limits/rate-limit-hook.ts'
import { hasPermission } from '../access/roles.ts'
import { assertCookieWrite, isWrite } from '../access/same-origin-hook.ts'
import { isOwner } from '../events/event-ownership.ts'
import { type EventRow, findEventByShareToken } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { sendProblem } from '../platform/http/problem-responses.ts'
import type { GalleryAccessContext } from './gallery-access-context.ts'
import { resolveActingGuest } from './guest-identity-request.ts'
import { countStoredRows } from './guest-writes-hook.ts'
import { assertGalleryState, assertGuestSession, type Viewer } from './viewing-rules.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `registerGalleryHooks` for the routes with a `slug` in its scope. */
    gallery: OpenGallery
  }
}

export type OpenGallery = { event: EventRow; viewer: Viewer }

/** `opens`: the kind of viewer that the cookie is valid for. */
type Credential = { token: string; via: 'header' | 'cookie'; opens?: Viewer['kind']; isPreview?: boolean }

/**
 * Errors of the gallery state come before those of the credential, so that a wrong credential reveals no more than a
 * missing one. Throws NOT_FOUND, GALLERY_EXPIRED, and errors of status 401 and 403.
 */
export async function openGallery(
  ctx: GalleryAccessContext,
  request: FastifyRequest,
  slug: string,
): Promise<OpenGallery> {
  const event = await ctx.galleries.event(slug)
  if (!event) throw new AppError('NOT_FOUND')
  const viewer = await identifyViewer(ctx, request, event).catch((error) => toAppError(error))
  const isOperator = !(viewer instanceof AppError) && (viewer.kind === 'operator' || viewer.guest.isPreview === true)
  assertGalleryState(event, isOperator, ctx.clock.now())
  if (viewer instanceof AppError) throw viewer
  if (viewer.kind === 'operator' || viewer.guest.isPreview) return { event, viewer }
  assertGuestSession(event, viewer.guest)
  const { customer } = viewer.guest
  if (customer) assertAssignment(await ctx.customers.assignment(customer.customerId, event.id), customer)
  return { event, viewer: { kind: 'guest', guest: await resolveActingGuest(ctx, request, viewer.guest) } }
}

/**
 * Finds an event by its slug or share token. Throws NOT_FOUND, and the errors of `openGallery` if the event is not
 * live.
 */
export async function resolveGallery(
  ctx: GalleryAccessContext,
  request: FastifyRequest,
  identifier: string,
): Promise<EventRow> {
  const event = (await ctx.galleries.event(identifier)) ?? (await findEventByShareToken(ctx.db, identifier))
  if (!event) throw new AppError('NOT_FOUND')
  const isOpen = event.is_draft === 0 && event.is_archived === 0 && !isExpired(event, ctx.clock.now())
  if (!isOpen) await openGallery(ctx, request, event.slug)
  return event
}

/** Throws FORBIDDEN for an operator. A preview as a guest is a guest here. */
export function getGuestCaller({ viewer }: OpenGallery): GuestCaller {
  if (viewer.kind === 'guest') return viewer.guest
  throw onlyForGuests()
}

const onlyForGuests = (): AppError =>
  new AppError('FORBIDDEN', { text: 'Only guests can do this. You are previewing the gallery as an operator.' })

/** Returns the time when the session expires, in epoch milliseconds; null if it does not expire. */
export function getSessionEnd(
  { access }: GalleryAccessContext,
  request: FastifyRequest,
  { event }: OpenGallery,
): number | null {
  const credential = readCredential(request, event.id)
  return credential && access.sessionExpiresAt(credential.token)
}

/**
 * Opens the gallery of each route with a `slug`. A write opens the gallery before and again after its body is received,
 * because the gallery may close in between. Then the rows that it stores are counted. A guest with too many writes gets
 * RATE_LIMITED.
 */
export function registerGalleryHooks(app: Http, ctx: GalleryAccessContext): void {
  const findSlug = (request: FastifyRequest) => (request.params as { slug?: string }).slug
  app.addHook('onRequest', async (request) => {
    const slug = findSlug(request)
    if (slug !== undefined && isWrite(request)) request.gallery = await openGalleryForWrite(ctx, request, slug)
  })
  app.addHook('preHandler', async (request) => {
    const slug = findSlug(request)
    if (slug === undefined) return
    request.gallery = await openGallery(ctx, request, slug)
    await countStoredRows(ctx, request)
  })
}

export async function openGalleryForWrite(
  ctx: GalleryAccessContext,
  request: FastifyRequest,
  slug: string,
): Promise<OpenGallery> {
  const gallery = await openGallery(ctx, request, slug)
  if (gallery.viewer.kind === 'guest' && gallery.viewer.guest.isPreview) throw onlyForGuests()
  if (gallery.viewer.kind === 'guest') {
    await limitRequest(request, ctx.access.limits.guestWrites(gallery.viewer.guest.guestId))
  }
  return gallery
}

/** Sends NOT_FOUND instead of EVENT_ARCHIVED to guests whose write began before the event was archived. */
export function hideArchivedFromGuests(app: Http): void {
  app.setErrorHandler((error, request, reply) => {
    const isArchived = error instanceof AppError && error.code === 'EVENT_ARCHIVED'
    const isGuest = request.gallery?.viewer.kind === 'guest'
    sendProblem(isArchived && isGuest ? new AppError('NOT_FOUND') : error, request, reply)
  })
}

async function identifyViewer(ctx: GalleryAccessContext, request: FastifyRequest, event: EventRow): Promise<Viewer> {
  const credential = readCredential(request, event.id)
  if (!credential) throw new AppError('NO_TOKEN', { text: 'Open the gallery by its link first.' })
  const { token, via, opens, isPreview } = credential
  const visitor = await ctx.access.visitor(token, via)
  const kind = 'guestId' in visitor ? 'guest' : 'operator'
  if (opens && opens !== kind) throw new AppError('INVALID_TOKEN')
  if (via === 'cookie') assertCookieWrite(request, ctx.config.publicUrl)
  if ('guestId' in visitor) return { kind: 'guest', guest: visitor }

  if (visitor.user.must_change_password === 1) throw new AppError('MUST_CHANGE_PASSWORD')
  const canView = hasPermission(visitor.user.role, 'photos.view') && (await isOwner(ctx, visitor, event))
  if (!canView) throw new AppError('FORBIDDEN')
  // Archived events have no guest renditions, so their preview is that of an operator.
  if (!isPreview || event.is_archived === 1) return { kind: 'operator' }
  const guestId = `preview ${visitor.user.id}`
  return { kind: 'guest', guest: { eventId: event.id, accessKey: event.access_key, guestId, isPreview } }
}

function readCredential(request: FastifyRequest, eventId: number): Credential | null {
  const bearer = parseBearerToken(request.headers.authorization)
  if (bearer) return { token: bearer, via: 'header' }
  const guestCookie = request.cookies[galleryCookie(eventId)]
  if (guestCookie) return { token: guestCookie, via: 'cookie', opens: 'guest' }
  const { as } = request.query as { as?: unknown }
  const operatorCookie = request.cookies[adminCookie]
  const views = [as, request.headers['x-operator-view']]
  const isPreview = views.includes('guest')
  const isOperatorView = isPreview || views.includes('operator') || request.headers['x-operator-view'] === '1'
  return operatorCookie && isOperatorView
    ? { token: operatorCookie, via: 'cookie', opens: 'operator', isPreview }
    : null
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
