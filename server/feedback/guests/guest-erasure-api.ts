import { ErasedGuest, GuestParams } from '../../../contract/gallery/guests.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { eraseGuest } from './erase-guest.ts'

export const guestErasureApi = (ctx: AppContext) => async (app: Http) => {
  app.delete(
    '/events/:event_id/guests/:guest_id',
    {
      schema: {
        operationId: 'eraseGuest',
        tags: ['proofing'],
        summary: 'Erase a guest for good',
        description:
          'Deletes name, mail address, feedback, notes and links of the guest and of all guests merged into it, ends their ' +
          'sessions, and keeps their selections and photos without a guest. Also works in archived events. Returns what was erased.',
        params: GuestParams,
        response: { 200: ErasedGuest },
      },
      config: { permission: 'events.edit', problems: ['NOT_FOUND'] },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return eraseGuest(ctx, id, request.params.guest_id)
    },
  )
}
