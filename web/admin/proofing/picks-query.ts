import { queryOptions } from '@tanstack/react-query'
import { api, must, type Wire } from '../api/api.ts'
import { queries } from '../desk/queries.ts'

export type Picks = Wire['ListPicksReply']
export type PickedPhoto = Picks['photos'][number]
export type PickingGuest = Picks['guests'][number]

/** Who has picked what: all of it, so that whoever watches sees one picture. */
export const picksQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['proofing', eventId, 'picks'] as const,
    // Thousands of photos are compared slower than the few that are seen are drawn.
    structuralSharing: false,
    queryFn: ({ signal }) =>
      must(api.GET('/api/admin/feedback/events/{event_id}/picks', { params: { path: { event_id: eventId } }, signal })),
  })

/** After guests have marked: the picks first, then whatever else hangs on them. */
export async function askPicksAgain(eventId: number): Promise<void> {
  const { queryKey } = picksQuery(eventId)
  await queries.invalidateQueries({ queryKey })
  await queries.invalidateQueries({
    queryKey: ['proofing', eventId],
    predicate: (query) => query.queryKey[2] !== queryKey[2],
  })
}

/** After something has happened: what of this room is on the page is asked anew. */
export const askProofingAgain = (eventId: number): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['proofing', eventId] })
