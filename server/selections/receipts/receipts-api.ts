import { Type } from 'typebox'
import {
  DifferenceQuery,
  ReceiptQuery,
  ReceiptReply,
  SelectionDetails,
  SelectionDifference,
} from '../../../contract/gallery/rounds.ts'
import { fileReplies, IdParams } from '../../../contract/shapes.ts'
import { canReadNotes } from '../../access/roles.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { getPhoto } from '../../photos/photo-rows.ts'
import type { Renditions } from '../../photos/renditions/renditions.ts'
import { pictureProblems, sendStoredThumbnail } from '../../photos/renditions/thumbnail-reply.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { findSelectionBefore } from '../selection-rows.ts'
import { describeSelection, getSelection, isAgreedFile, readAgreed } from './agreed-selections.ts'
import { compareSelections } from './compare-selections.ts'
import { sendReceipt } from './receipt-reply.ts'

const tags = ['proofing']
const params = IdParams('event_id', 'selection_id')

/** Part of both APIs: the paths are relative to the path of the event. Archived events keep their receipts. */
export const receiptsApi = (ctx: AppContext, renditions: Renditions) => async (app: Http) => {
  app.get(
    '/selections/:selection_id',
    {
      schema: {
        operationId: 'getSelection',
        tags,
        summary: 'Get a submitted selection, with what was agreed',
        description:
          'With a package, `snapshot` has the picks with their marks as of submission. It never changes. `people` has names and texts, which the erasure of the guest removes.',
        params,
        response: { 200: SelectionDetails },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id, selection_id } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      return describeSelection(ctx.db, await getSelection(ctx.db, id, selection_id), canReadNotes(caller))
    },
  )

  app.get(
    '/selections/:selection_id/receipt',
    {
      schema: {
        operationId: 'getReceipt',
        tags,
        summary: 'Get the receipt of a selection: a page to read and print, or a table',
        description:
          'Guest and operators get the same bytes, until the guest is erased. For API tokens without the right `reads_notes`, notes, pins and boxes are left out. Only selections with a round have a receipt.',
        params,
        querystring: ReceiptQuery,
        response: ReceiptReply,
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request, reply) => {
      const { caller, query } = request
      const { event_id, selection_id } = request.params
      const event = await getOwnedEvent(ctx, caller, event_id)
      const selection = await getSelection(ctx.db, event.id, selection_id)
      return sendReceipt(ctx, request, reply, event, readAgreed(selection, canReadNotes(caller)), query)
    },
  )

  app.get(
    '/selections/:selection_id/receipt/:photo_id.jpg',
    {
      schema: {
        operationId: 'getReceiptPicture',
        tags,
        summary: 'Get the thumbnail of a photo of a receipt',
        params: Type.Object({ ...params.properties, ...IdParams('photo_id').properties }),
        response: fileReplies('image/*', 'The thumbnail'),
      },
      config: { scope: 'read', permission: ['events.view', 'photos.view'], problems: pictureProblems },
    },
    async (request, reply) => {
      const { event_id, selection_id, photo_id } = request.params
      const { id } = await getOwnedEvent(ctx, request.caller, event_id)
      const photo = await getPhoto(ctx.db, id, photo_id)
      if (!isAgreedFile(await getSelection(ctx.db, id, selection_id), photo)) throw new AppError('NOT_FOUND')
      return sendStoredThumbnail(ctx, renditions, request, reply, photo)
    },
  )

  app.get(
    '/selections/:selection_id/difference',
    {
      schema: {
        operationId: 'getSelectionDifference',
        tags,
        summary: 'Get what has changed between two selections of a guest',
        params,
        querystring: DifferenceQuery,
        response: { 200: SelectionDifference },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id, selection_id }, query: { from } }) => {
      const { id } = await getOwnedEvent(ctx, caller, event_id)
      const to = await getSelection(ctx.db, id, selection_id)
      const agreed = readAgreed(to, false)
      if (from === undefined) {
        const before = await findSelectionBefore(ctx.db, to)
        return compareSelections(before ? readAgreed(before, false) : null, agreed)
      }
      const other = await getSelection(ctx.db, id, from)
      if (other.guest_id === null || other.guest_id !== to.guest_id || other.id === to.id)
        throw new AppError('NOT_FOUND')
      return compareSelections(readAgreed(other, false), agreed)
    },
  )
}
