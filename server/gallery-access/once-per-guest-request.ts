import type { FastifyReply, FastifyRequest } from 'fastify'
import { must } from '../../contract/must.ts'
import { oncePerOwnerKey, type SentFields } from '../access/idempotent-request.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

type Operation<T> = {
  fields: SentFields
  /** Runs for a new key or without a key. Calls `record` in its transaction. */
  first: (record: (tx: Tx, id: number, answer: T) => Promise<void>) => Promise<T>
  /** Runs for a repeated key. Throws if the guest may no longer get the response. */
  assertAgain?: () => Promise<unknown>
  /** Makes the response to a repeated key anew, so that it is not stored. */
  again?: (id: number) => Promise<T>
}

/**
 * Runs `first` of a guest's request to an open gallery. A repeated `Idempotency-Key` gets the stored first response,
 * because the feedback may have changed since. Throws the errors of `oncePerKey`, and those of the operation.
 */
export const oncePerGuestKey = <T>(
  ctx: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { fields, first, assertAgain, again }: Operation<T>,
): Promise<T> => {
  const { event, viewer } = request.gallery
  const owner = viewer.kind === 'guest' ? `guest ${viewer.guest.guestId} of event ${event.id}` : null
  return oncePerOwnerKey<T>(
    ctx,
    owner,
    { request, reply, fields, eventId: event.id },
    {
      first: (record) =>
        first((tx, id, answer) => record(tx, { status: 200, id, note: again ? null : JSON.stringify(answer) })),
      again: async ({ note, id }) => {
        if (again) return again(id)
        await assertAgain?.()
        return JSON.parse(must(note, 'the first response'))
      },
    },
  )
}
