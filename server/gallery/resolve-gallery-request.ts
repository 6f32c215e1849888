import type { FastifyRequest } from 'fastify'
import { type EventRow, findEventByShareToken } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { AppError } from '../platform/app-error.ts'
import type { GalleryContext } from './gallery-context.ts'
import { openGallery } from './open-gallery-request.ts'

/** Throws NOT_FOUND and GALLERY_EXPIRED; operators find their events in any state. */
export async function resolveGallery(
  ctx: GalleryContext,
  request: FastifyRequest,
  identifier: string,
): Promise<EventRow> {
  const event = (await ctx.galleries.event(identifier)) ?? (await findEventByShareToken(ctx.db, identifier))
  if (!event) throw new AppError('NOT_FOUND')
  const isOpen = event.is_draft === 0 && event.is_archived === 0 && !isExpired(event, ctx.clock.now())
  if (!isOpen) await openGallery(ctx, request, event.slug)
  return event
}
