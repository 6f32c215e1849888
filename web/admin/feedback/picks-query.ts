import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { queries } from '../app/query-client.ts'

export type Picks = Schemas['ListPicksReply']
export type PickedPhoto = Picks['photos'][number]
export type PickingGuest = Picks['guests'][number]

/** Loads all picks in one response, so that counts and lists are consistent. */
export const picksQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'picks'] as const,
    // To compare thousands of photos takes longer than to render the visible ones.
    structuralSharing: false,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/feedback/events/{event_id}/picks', { params: { path: { event_id: eventId } }, signal }),
      ),
  })

/** The third element of a query key that starts with `feedback`. */
export type FeedbackPart = 'picks' | 'comments' | 'threads'

export const invalidatePart = (eventId: number, part: FeedbackPart): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['feedback', eventId, part] })

export const invalidateOtherParts = (eventId: number, part: FeedbackPart): Promise<void> =>
  queries.invalidateQueries({
    queryKey: ['feedback', eventId],
    predicate: ({ queryKey }) => queryKey[2] !== part,
  })

export const invalidateFeedback = (eventId: number): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['feedback', eventId] })
