import {
  GuestLinkReply,
  GuestList,
  GuestParams,
  MergedGuestsReply,
  MergeGuestsBody,
} from '../../../contract/gallery/guests.ts'
import { IdParams, PageQuery } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import { guestRecord } from '../../events/guests/guest-rows.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { createMarkGuard } from '../marks/markable-photo.ts'
import { listedGuest, listGuests } from './list-guests.ts'
import { mergeGuests } from './merge-guests.ts'
import { createPersonalLink } from './personal-links.ts'

const tags = ['proofing']
export const eventGuestsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/events/:event_id/guests',
    {
      schema: {
        operationId: 'listGuests',
        tags,
        summary: 'List guests with feedback, a name or a selection',
        params: IdParams('event_id'),
        querystring: PageQuery,
        response: { 200: GuestList },
      },
      config: { permission: 'events.view' },
    },
    async (request) => {
      const { id } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const { guests, total } = await listGuests(ctx, id, request.query)
      return { guests: guests.map(listedGuest), pagination: toPagination(request.query, total) }
    },
  )

  app.post(
    '/events/:event_id/guests/merge',
    {
      schema: {
        operationId: 'mergeGuests',
        tags,
        summary: 'Merge two guests',
        params: IdParams('event_id'),
        body: MergeGuestsBody,
        response: { 200: MergedGuestsReply },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED', 'SELECTION_LOCKED'] },
    },
    async (request) => {
      const { id: eventId } = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      const merged = await mergeGuests(ctx, { eventId, ...request.body }, createMarkGuard(ctx, eventId))
      return { guest: guestRecord(merged) }
    },
  )

  app.post(
    '/events/:event_id/guests/:guest_id/link',
    {
      schema: {
        operationId: 'createPersonalLink',
        tags,
        summary: 'Create a personal link for a guest',
        description:
          'The link opens the gallery without its password, as this guest with its marks. It works once and for 30 days; a new ' +
          'password or a new link of the gallery ends it. For guests who lost their session, or whose marks were moved from ' +
          'another installation.',
        params: GuestParams,
        response: { 200: GuestLinkReply },
      },
      config: { permission: 'events.edit', problems: ['NOT_FOUND', 'EVENT_ARCHIVED'] },
    },
    async (request) => {
      const { event_id: eventId, guest_id: guestId } = request.params
      await getOwnedEvent(ctx, request.caller, eventId)
      return createPersonalLink(ctx, await ctx.settings.originFor(request), eventId, guestId)
    },
  )
}
