import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SelectionBody, SelectionReply } from '../../contract/gallery/guests.ts'
import { oncePerOwnerKey } from '../access/idempotent-request.ts'
import type { GalleryContext } from '../gallery/gallery-context.ts'
import { idempotencyKeyOwner } from './idempotent-feedback-request.ts'
import { submitSelection } from './submit-selection.ts'

/** A repeated `Idempotency-Key` gets the first response, whatever the picks are then. */
export function submitSelectionIdempotently(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: SelectionBody,
): Promise<SelectionReply> {
  const { note, guest_name, guest_email } = body ?? {}
  const sent = { request, reply, fields: { note, guest_name, guest_email } }
  return oncePerOwnerKey<SelectionReply>(ctx, idempotencyKeyOwner(request.gallery), sent, {
    first: (record) =>
      submitSelection(ctx, request.gallery, body, (tx, id, answer) =>
        record(tx, { status: 200, id, note: JSON.stringify(answer) }),
      ),
    again: async ({ note }) => JSON.parse(note ?? ''),
  })
}
