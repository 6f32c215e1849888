import type { FastifyReply, FastifyRequest } from 'fastify'
import { FeedbackBody, type FeedbackReply } from '../../contract/feedback.ts'
import type { SelectionBody, SelectionReply } from '../../contract/gallery/guests.ts'
import type { NoteBody, OwnNote } from '../../contract/gallery/notes.ts'
import { must } from '../../contract/must.ts'
import { oncePerOwnerKey, type SentFields } from '../access/idempotent-request.ts'
import type { GalleryContext } from '../gallery/gallery-context.ts'
import type { Tx } from '../platform/database/tables.ts'
import { writeNote } from './guest-notes.ts'
import { authorizeFeedback, storeGuestFeedback } from './store-guest-feedback.ts'
import { submitSelection } from './submit-selection.ts'

type Operation<T> = {
  fields: SentFields
  /** Runs for a new key or without a key. Calls `record` in its transaction. */
  first: (record: (tx: Tx, id: number, answer: T) => Promise<void>) => Promise<T>
  /** Runs for a repeated key. Throws if the guest may no longer get the response. */
  assertAgain?: () => Promise<unknown>
}

/** A repeated `Idempotency-Key` gets the stored first response, because the feedback may have changed since. */
const oncePerGuestKey = <T>(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { fields, first, assertAgain }: Operation<T>,
): Promise<T> => {
  const { event, viewer } = request.gallery
  const owner = viewer.kind === 'guest' ? `guest ${viewer.guest.guestId} of event ${event.id}` : null
  return oncePerOwnerKey<T>(
    ctx,
    owner,
    { request, reply, fields, eventId: event.id },
    {
      first: (record) => first((tx, id, answer) => record(tx, { status: 200, id, note: JSON.stringify(answer) })),
      again: async ({ note }) => {
        await assertAgain?.()
        return JSON.parse(must(note, 'the first response'))
      },
    },
  )
}

export function giveFeedbackIdempotently(
  ctx: GalleryContext,
  request: FastifyRequest<{ Params: { photo_id: number }; Body: FeedbackBody }>,
  reply: FastifyReply,
): Promise<FeedbackReply> {
  const { gallery, params, body } = request
  return oncePerGuestKey<FeedbackReply>(ctx, request, reply, {
    fields: Object.fromEntries(Object.entries(body).filter(([key]) => key in FeedbackBody.properties)),
    // The response has no id if there was nothing to remove.
    first: (record) =>
      storeGuestFeedback(ctx, gallery, params.photo_id, body, (tx, answer) => record(tx, answer.id ?? 0, answer)),
    assertAgain: () => authorizeFeedback(ctx, gallery, params.photo_id),
  })
}

export function writeNoteIdempotently(
  ctx: GalleryContext,
  request: FastifyRequest<{ Body: NoteBody }>,
  reply: FastifyReply,
): Promise<OwnNote> {
  const { gallery, body } = request
  const { text, photo_id, guest_name } = body
  return oncePerGuestKey<OwnNote>(ctx, request, reply, {
    fields: { text, photo_id, guest_name },
    first: (record) => writeNote(ctx, gallery, body, record),
    assertAgain: async () => photo_id && (await authorizeFeedback(ctx, gallery, photo_id)),
  })
}

export function submitSelectionIdempotently(
  ctx: GalleryContext,
  request: FastifyRequest<{ Body: SelectionBody }>,
  reply: FastifyReply,
): Promise<SelectionReply> {
  const { gallery, body } = request
  const { note, guest_name, guest_email } = body ?? {}
  return oncePerGuestKey<SelectionReply>(ctx, request, reply, {
    fields: { note, guest_name, guest_email },
    first: (record) => submitSelection(ctx, gallery, body, record),
  })
}
