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

/** What of this module stands on the page by itself; its queries begin with the event and the part. */
export type ProofingPart = 'picks' | 'comments'

/** After guests have marked, or an operator has moderated: the part that is looked at. */
export const askPartAgain = (eventId: number, part: ProofingPart): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['proofing', eventId, part] })

/** And then whatever else hangs on it. */
export const askOtherPartsAgain = (eventId: number, part: ProofingPart): Promise<void> =>
  queries.invalidateQueries({
    queryKey: ['proofing', eventId],
    predicate: ({ queryKey }) => queryKey[2] !== part,
  })

/** After something has happened: what of this module is on the page is asked anew. */
export const askProofingAgain = (eventId: number): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['proofing', eventId] })
