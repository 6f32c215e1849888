import type { FastifyReply, FastifyRequest } from 'fastify'
import { FeedbackBody, type FeedbackReply } from '../../contract/feedback.ts'
import { oncePerOwnerKey } from '../access/idempotent-request.ts'
import type { FeedbackInput } from '../feedback/give-feedback.ts'
import type { GalleryContext } from '../gallery/gallery-context.ts'
import type { OpenGallery } from '../gallery/open-gallery-request.ts'

/**
 * A repeated `Idempotency-Key` gets the first response, even if the feedback has changed since. `assertAgain` throws if
 * the guest may no longer see the photo.
 */
export function giveFeedbackIdempotently(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  give: (record: FeedbackInput['record']) => Promise<FeedbackReply>,
  assertAgain: () => Promise<unknown>,
): Promise<FeedbackReply> {
  const fields = pickKnownFields(request.body as FeedbackBody)
  return oncePerOwnerKey<FeedbackReply>(
    ctx,
    idempotencyKeyOwner(request.gallery),
    { request, reply, fields },
    {
      // Feedback that removes nothing has no id, so the response itself is stored.
      first: (record) =>
        give((tx, answer) => record(tx, { status: 200, id: answer.id ?? 0, note: JSON.stringify(answer) })),
      again: async ({ note }) => {
        await assertAgain()
        return JSON.parse(note ?? '')
      },
    },
  )
}

/** Returns null for an operator. */
export const idempotencyKeyOwner = ({ event, viewer }: OpenGallery): string | null =>
  viewer.kind === 'guest' ? `guest ${viewer.guest.guestId} of event ${event.id}` : null

const pickKnownFields = (body: FeedbackBody) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key in FeedbackBody.properties))
