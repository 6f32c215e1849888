import { ListRoundsQuery, ReopenBody, RoundList, RoundRecord } from '../../../contract/gallery/rounds.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { getOwnedEvent } from '../../events/event-ownership.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { listRounds } from './list-rounds.ts'
import { acceptRound, remindRound, reopenRound } from './operator-rounds.ts'

const tags = ['proofing']
const params = IdParams('event_id', 'round_id')

/** Part of both APIs. */
export const roundsApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/rounds',
    {
      schema: {
        operationId: 'listRounds',
        tags,
        summary: 'List the rounds in which guests pick photos, the newest first',
        params: IdParams('event_id'),
        querystring: ListRoundsQuery,
        response: { 200: RoundList },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async ({ caller, params: { event_id }, query }) => {
      return listRounds(ctx, await getOwnedEvent(ctx, caller, event_id), query)
    },
  )

  app.post(
    '/rounds/:round_id/accept',
    {
      schema: {
        operationId: 'acceptRound',
        tags,
        summary: 'Accept the submitted picks of a guest, which locks them',
        params,
        response: { 200: RoundRecord },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params: { event_id: eventId, round_id: roundId } }) =>
      acceptRound(ctx, caller, { eventId, roundId }),
  )

  app.post(
    '/rounds/:round_id/reopen',
    {
      schema: {
        operationId: 'reopenRound',
        tags,
        summary: 'Open the submitted picks of a guest again, as the next round',
        description:
          'The next round begins with the picks as they are. What is not sent stays as in the round before. A lower maximum removes no picks.',
        params,
        body: ReopenBody,
        response: { 200: RoundRecord },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params: { event_id: eventId, round_id: roundId }, body }) =>
      reopenRound(ctx, caller, { eventId, roundId }, body),
  )

  app.post(
    '/rounds/:round_id/remind',
    {
      schema: {
        operationId: 'remindRound',
        tags,
        summary: 'Remind a guest by mail to send the picks',
        description:
          'At most once in 24 hours, and only while the guest can open the gallery. The mail goes to an address that the guest has confirmed, or to that of the customer. Another address gets one mail in the event, which also asks to confirm it.',
        params,
        response: { 200: RoundRecord },
      },
      config: { scope: 'write', permission: 'photos.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params: { event_id: eventId, round_id: roundId } }) =>
      remindRound(ctx, caller, { eventId, roundId }),
  )
}
