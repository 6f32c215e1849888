import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'

export type Round = Schemas['Round']

const roundsPerPage = 200

/** All rounds of the event, the newest first. */
export const roundsQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'rounds'] as const,
    queryFn: async ({ signal }) => {
      const rounds: Round[] = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const params = { path: { event_id: eventId }, query: { page, limit: roundsPerPage } }
        const reply = await unwrap(api.GET('/api/admin/events/{event_id}/rounds', { params, signal }))
        rounds.push(...reply.rounds)
        pages = reply.pagination.pages
      }
      return rounds
    },
  })

export const receiptUrl = (eventId: number, selectionId: number): string =>
  `/api/admin/events/${eventId}/selections/${selectionId}/receipt`
