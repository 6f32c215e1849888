import { queryOptions, useMutation } from '@tanstack/react-query'
import type { ReopenBody } from '../../../../contract/gallery/rounds.ts'
import { api, unwrap } from '../../api/api.ts'
import type { Round } from '../../feedback/rounds-query.ts'
import { invalidateSelections } from '../../feedback/selections-query.ts'

/** The difference from the selection of the round before. */
export const differenceQuery = (eventId: number, selectionId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'difference', selectionId] as const,
    queryFn: ({ signal }) => {
      const params = { path: { event_id: eventId, selection_id: selectionId } }
      return unwrap(api.GET('/api/admin/events/{event_id}/selections/{selection_id}/difference', { params, signal }))
    },
  })

export function useRoundMutation<Variables = void>(
  eventId: number,
  mutationFn: (variables: Variables) => Promise<unknown>,
  onDone: () => void,
) {
  return useMutation({
    mutationFn,
    onSuccess: onDone,
    // Also after a failure, because the round may have changed elsewhere.
    onSettled: () => invalidateSelections(eventId),
  })
}

const roundPath = ({ event_id, id }: Round) => ({ params: { path: { event_id, round_id: id } } })

export const acceptRound = (round: Round): Promise<Round> =>
  unwrap(api.POST('/api/admin/events/{event_id}/rounds/{round_id}/accept', roundPath(round)))

export const reopenRound = (round: Round, body: ReopenBody): Promise<Round> =>
  unwrap(api.POST('/api/admin/events/{event_id}/rounds/{round_id}/reopen', { ...roundPath(round), body }))

export const remindGuest = (round: Round): Promise<unknown> =>
  unwrap(api.POST('/api/admin/events/{event_id}/rounds/{round_id}/remind', roundPath(round)))
