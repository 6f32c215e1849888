import { Type } from 'typebox'
import { ReceiptQuery } from '../../../contract/gallery/rounds.ts'
import { Id } from '../../../contract/shapes.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { readNoticeLink } from '../../feedback/notices/notice-links.ts'
import { findOpenEvent, renderNoticePage, TokenParams } from '../../feedback/notices/notice-page-api.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import type { ViewedPhoto } from '../../gallery-access/gallery-state.ts'
import { assertViewable, isBeforeReveal } from '../../gallery-access/viewing-rules.ts'
import type { Renditions } from '../../photos/renditions/renditions.ts'
import { sendStoredThumbnail } from '../../photos/renditions/thumbnail-reply.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { pageSecurityPolicy } from '../../platform/http/security-headers.ts'
import { findSelection, type SelectionRow } from '../selection-rows.ts'
import { isAgreedFile, readAgreed } from './agreed-selections.ts'
import { sendReceipt } from './receipt-reply.ts'

/** `/mails/{token}/receipt`: the receipt of a guest by the link of a mail, in any browser. It opens no gallery. */
export const mailedReceiptsApi = (ctx: GalleryAccessContext & { renditions: Renditions }) => async (app: Http) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-robots-tag', 'noindex')
  })

  app.get(
    '/mails/:token/receipt',
    { schema: { params: TokenParams, querystring: ReceiptQuery } },
    async (request, reply) => {
      const found = await findMailed(ctx, request.params.token)
      if (found) return sendReceipt(ctx, request, reply, found.event, readAgreed(found.selection, true), request.query)
      reply.headers({ 'content-security-policy': pageSecurityPolicy, 'cache-control': 'no-store' })
      return renderNoticePage(ctx, request, reply, null, 'gone')
    },
  )

  app.get(
    '/mails/:token/receipt/:photo_id.jpg',
    { schema: { params: Type.Object({ ...TokenParams.properties, photo_id: Id }) } },
    async (request, reply) => {
      const { token, photo_id } = request.params
      const found = await findMailed(ctx, token)
      if (!found) throw new AppError('NOT_FOUND')
      const photo = await getReceiptPhoto(ctx, found.event, found.selection, photo_id)
      return sendStoredThumbnail(ctx, ctx.renditions, request, reply, photo)
    },
  )
}

/** Returns null if guests cannot open the gallery now, the access has been renewed, or the guest was erased. */
async function findMailed(
  ctx: GalleryAccessContext,
  token: string,
): Promise<{ event: EventRow; selection: SelectionRow } | null> {
  const link = readNoticeLink(ctx, token)
  if (link?.act !== 'receipt') return null
  const event = await findOpenEvent(ctx, link.eventId)
  if (!event || event.access_key !== link.accessKey || isBeforeReveal(event, ctx.clock.now())) return null
  const selection = await findSelection(ctx.db, link.selectionId)
  return selection?.event_id === event.id && selection.guest_id !== null ? { event, selection } : null
}

/** Returns a photo of a receipt that guests may see. Throws NOT_FOUND, also if the file was replaced since. */
export async function getReceiptPhoto(
  { galleries, clock }: GalleryAccessContext,
  event: EventRow,
  selection: SelectionRow,
  id: number,
): Promise<ViewedPhoto> {
  const photo = await galleries.photo(id)
  if (!photo || !isAgreedFile(selection, photo)) throw new AppError('NOT_FOUND')
  assertViewable(event, photo, { kind: 'guest' }, 'thumbnail', clock.now())
  return photo
}
