import type { FastifyReply, FastifyRequest } from 'fastify'
import { FeedbackBody, type FeedbackReply } from '../../contract/feedback.ts'
import { oncePerKeyOf } from '../access/once-per-key.ts'
import type { Giving } from '../proofing/give-feedback.ts'
import type { GalleryContext } from './gallery-context.ts'
import type { OpenGallery } from './open-gallery.ts'

/**
 * Gives feedback once for each `Idempotency-Key` of a guest. Sent again it is answered as it was the first time, also
 * where it has been taken back since: the answer tells what this call did, not how the photo stands. `assertAgain` throws
 * where the photo may not be seen any more.
 */
export function markOncePerKey(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  give: (record: Giving['record']) => Promise<FeedbackReply>,
  assertAgain: () => Promise<unknown>,
): Promise<FeedbackReply> {
  const fields = knownFields(request.body as FeedbackBody)
  return oncePerKeyOf<FeedbackReply>(
    ctx,
    keyOwner(request.gallery),
    { request, reply, fields },
    {
      // Feedback that removed nothing has no id, so that the answer itself is what is kept.
      first: (record) =>
        give((tx, answer) => record(tx, { status: 200, id: answer.id ?? 0, note: JSON.stringify(answer) })),
      again: async ({ note }) => {
        await assertAgain()
        return JSON.parse(note ?? '')
      },
    },
  )
}

/** Whose keys they are; an operator who looks in has none. */
export const keyOwner = ({ event, viewer }: OpenGallery): string | null =>
  viewer.kind === 'guest' ? `guest ${viewer.guest.guestId} of event ${event.id}` : null

const knownFields = (body: FeedbackBody) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key in FeedbackBody.properties))
