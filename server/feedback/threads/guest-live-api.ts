import type { FastifyRequest } from 'fastify'
import { SlugParams } from '../../../contract/gallery/gallery.ts'
import { GuestLiveStream, type LiveFeedback, LiveHeaders, type LiveThread } from '../../../contract/live.ts'
import type { LiveStreams } from '../../events/live/live-stream-replies.ts'
import type { LiveEvent } from '../../events/live/read-live-events.ts'
import { isVisibleToGuests } from '../../events/visible-photos.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { type OpenGallery, openGallery, registerGalleryHooks } from '../../gallery-access/open-gallery-request.ts'
import { isBeforeReveal, showsFeedback } from '../../gallery-access/viewing-rules.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { findGuestThread, plainView, type ThreadReader } from './list-guest-threads.ts'

export const guestLiveApi = (ctx: GalleryAccessContext, streams: LiveStreams) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  app.get(
    '/:slug/live',
    {
      // A HEAD request would never end.
      exposeHeadRoute: false,
      schema: {
        operationId: 'watchGallery',
        tags: ['threads'],
        summary: 'Stream changes of threads live',
        params: SlugParams,
        headers: LiveHeaders,
        response: { 200: GuestLiveStream },
      },
    },
    async (request, reply) => {
      const { event, viewer } = request.gallery
      let reader = getReader(request.gallery)
      const check = async () => {
        const now = getReader(await getOpenGallery(ctx, request))
        // The guest was merged into another one, or the cookie is of another session.
        if (now.guestId !== reader.guestId) throw new AppError('TOKEN_REVOKED')
        reader = now
      }
      await check()
      await streams.send(reply, {
        viewer:
          viewer.kind === 'guest'
            ? { kind: 'guest', id: reader.guestId }
            : { kind: 'account', id: `preview of ${event.id}` },
        eventId: event.id,
        lastSeenId: request.headers['last-event-id'] ?? null,
        check,
        show: (change) => showChange(ctx, event.id, reader, change),
      })
      return reply
    },
  )
}

async function getOpenGallery(ctx: GalleryAccessContext, request: FastifyRequest): Promise<OpenGallery> {
  const gallery = await openGallery(ctx, request, request.gallery.event.slug)
  const isEarly = gallery.viewer.kind === 'guest' && isBeforeReveal(gallery.event, ctx.clock.now())
  if (isEarly) throw new AppError('NOT_FOUND')
  return gallery
}

/** Operators who look at the gallery follow the comments that guests see. */
const getReader = ({ event, viewer }: OpenGallery): ThreadReader => ({
  guestId: viewer.kind === 'guest' ? viewer.guest.guestId : '',
  showsOthers: showsFeedback(event),
})

/** Returns only ids, and nothing about what the guest does not see. */
async function showChange(
  ctx: GalleryAccessContext,
  eventId: number,
  reader: ThreadReader,
  { id, type, data }: LiveEvent,
): Promise<LiveEvent | null> {
  const { guest_id, photo_id = null, thread_id = null, ...change } = data as Partial<LiveThread & LiveFeedback>
  const isOwn = guest_id === reader.guestId
  const isComment = change.thread_kind === 'comment' || change.feedback_type === 'comment'
  const isNote = type === 'guest' && change.did === 'noted'
  const isAboutThreads = type === 'thread' || isNote || (type === 'feedback' && isComment)
  if (!isAboutThreads || !(isOwn || (isComment && reader.showsOthers))) return null
  // Comments of others that are not shown, and answers to them, must not be noticed.
  const isShown =
    isOwn ||
    (thread_id === null
      ? change.status === 'approved'
      : (await findGuestThread(ctx.db, eventId, thread_id, reader, plainView)) !== undefined)
  if (!isShown) return null
  const photo = photo_id === null ? null : await ctx.galleries.photo(photo_id)
  if (photo !== null && !(photo && isVisibleToGuests(photo))) return null
  return { id, type: 'thread', data: { photo_id, thread_id } }
}
