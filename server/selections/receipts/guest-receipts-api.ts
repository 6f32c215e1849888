import { Type } from 'typebox'
import { Slug } from '../../../contract/gallery/gallery.ts'
import {
  OwnDifferenceQuery,
  ReceiptQuery,
  ReceiptReply,
  SelectionDifference,
} from '../../../contract/gallery/rounds.ts'
import { fileReplies, Id } from '../../../contract/shapes.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { type OpenGallery, registerGalleryHooks } from '../../gallery-access/open-gallery-request.ts'
import { isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import type { Renditions } from '../../photos/renditions/renditions.ts'
import { pictureProblems, sendStoredThumbnail } from '../../photos/renditions/thumbnail-reply.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { sendProblem } from '../../platform/http/problem-responses.ts'
import { findNumberedSelection, findSelectionBefore, type SelectionRow } from '../selection-rows.ts'
import { readAgreed } from './agreed-selections.ts'
import { compareSelections } from './compare-selections.ts'
import { getReceiptPhoto } from './mailed-receipts-api.ts'
import { sendReceipt } from './receipt-reply.ts'

const tags = ['selections']
const params = Type.Object({ slug: Slug, number: Id })

/** Guests read only what they submitted themselves. */
export const guestReceiptsApi = (ctx: GalleryAccessContext & { renditions: Renditions }) => async (app: Http) => {
  registerGalleryHooks(app, ctx)

  // A browser without a session gets the page of the gallery, which opens one.
  app.setErrorHandler((error, request, reply) => {
    const isClosed = error instanceof AppError && [401, 410].includes(error.status)
    const { slug } = request.params as { slug?: string }
    if (isClosed && slug && request.headers.accept?.includes('text/html')) return reply.redirect(`/gallery/${slug}`)
    return sendProblem(error, request, reply)
  })

  /** Throws NOT_FOUND for operators, too, and before the reveal. */
  const getOwn = async ({ event, viewer }: OpenGallery, number: number): Promise<SelectionRow> => {
    if (viewer.kind !== 'guest' || isBeforeReveal(event, ctx.clock.now())) throw new AppError('NOT_FOUND')
    const { guestId } = viewer.guest
    const selection = await findNumberedSelection(ctx.db, { eventId: event.id, guestId, number })
    if (!selection) throw new AppError('NOT_FOUND')
    return selection
  }

  app.get(
    '/:slug/selections/:number/receipt',
    {
      schema: {
        operationId: 'getOwnReceipt',
        tags,
        summary: 'Get the receipt of a submitted selection: a page to read and print, or a table',
        params,
        querystring: ReceiptQuery,
        response: ReceiptReply,
      },
    },
    async (request, reply) => {
      const selection = await getOwn(request.gallery, request.params.number)
      return sendReceipt(ctx, request, reply, request.gallery.event, readAgreed(selection, true), request.query)
    },
  )

  app.get(
    '/:slug/selections/:number/receipt/:photo_id.jpg',
    {
      schema: {
        operationId: 'getOwnReceiptPicture',
        tags,
        summary: 'Get the thumbnail of a photo of a receipt',
        params: Type.Object({ ...params.properties, photo_id: Id }),
        response: fileReplies('image/*', 'The thumbnail'),
      },
      config: { problems: pictureProblems },
    },
    async (request, reply) => {
      const { number, photo_id } = request.params
      const selection = await getOwn(request.gallery, number)
      const photo = await getReceiptPhoto(ctx, request.gallery.event, selection, photo_id)
      return sendStoredThumbnail(ctx, ctx.renditions, request, reply, photo)
    },
  )

  app.get(
    '/:slug/selections/:number/difference',
    {
      schema: {
        operationId: 'getOwnDifference',
        tags,
        summary: 'Get what has changed between two submitted selections',
        params,
        querystring: OwnDifferenceQuery,
        response: { 200: SelectionDifference },
      },
    },
    async ({ gallery, params: { number }, query: { from } }) => {
      const to = await getOwn(gallery, number)
      if (from === number) throw new AppError('NOT_FOUND')
      const before = from === undefined ? await findSelectionBefore(ctx.db, to) : await getOwn(gallery, from)
      return compareSelections(before ? readAgreed(before, false) : null, readAgreed(to, false))
    },
  )
}
