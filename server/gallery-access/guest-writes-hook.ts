import type { FastifyRequest } from 'fastify'
import { rateLimited } from '../access/limits/rate-limits.ts'
import { isWrite } from '../access/same-origin-hook.ts'
import { findGuest } from '../events/guests/guest-rows.ts'
import type { Http } from '../platform/http/create-http.ts'
import { addressKey } from '../platform/network/client-address.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { GalleryAccessContext } from './gallery-access-context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A POST that stores nothing, such as a download. */
    storesNothing?: boolean
    /** The guest of the request gets a row, if there is none. */
    storesGuest?: boolean
  }
}

const storesSomething = (request: FastifyRequest): boolean =>
  isWrite(request) && request.method !== 'DELETE' && !request.routeOptions.config.storesNothing

/**
 * Rejects what guests store with STORAGE_FULL when only the space that is reserved from guests is left. Applies to all
 * routes of the plugin that store something. A DELETE is always possible.
 */
export function limitGuestWrites(app: Http, { database }: Pick<PlatformContext, 'database'>): void {
  app.addHook('onRequest', async (request) => {
    if (storesSomething(request)) await database.ensureSpaceForGuest()
  })
}

type GuestFields = { feedback_type?: string; guest_name?: string | null; guest_email?: string | null }

/**
 * Counts the rows that a request to an open gallery stores. Throws STORAGE_FULL, and RATE_LIMITED for too many new guests
 * of one address.
 */
export async function countStoredRows(ctx: GalleryAccessContext, request: FastifyRequest): Promise<void> {
  const { event, viewer } = request.gallery
  if (!storesSomething(request) || viewer.kind !== 'guest') return
  const { feedback_type: kind, guest_name: name, guest_email: email } = (request.body ?? {}) as GuestFields
  await ctx.guestRows.addRow(event.id, kind === undefined || kind === 'comment' ? 'other' : 'mark')
  if (request.headers['idempotency-key'] !== undefined) await ctx.guestRows.addRow(event.id, 'other')
  const mayBeNew = request.routeOptions.config.storesGuest || name || email
  if (!mayBeNew || (await findGuest(ctx.db, event.id, viewer.guest.guestId))) return
  const seconds = await ctx.access.limits.newGuests(`${event.id} ${addressKey(request.ip)}`).consume()
  if (seconds !== null) throw rateLimited(seconds, 'Too many new guests from this network. Try again later.')
}
