import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { queries } from '../app/query-client.ts'
import { invalidateFeedback, type Picks } from './picks-query.ts'

/** The number of submitted selections that are not marked as done. */
export const openSelectionsQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'openSelections'] as const,
    queryFn: async ({ signal }) => {
      const query = { status: 'open' as const, limit: 1 }
      const params = { path: { event_id: eventId }, query }
      return (await unwrap(api.GET('/api/admin/events/{event_id}/selections', { params, signal }))).pagination.total
    },
  })

export type Selection = Schemas['SubmittedSelection']

/** More than any client sends; older ones are not shown. */
const maxSelections = 100

const selectionsQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'selections'] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId }, query: { limit: maxSelections } }
      return (await unwrap(api.GET('/api/admin/events/{event_id}/selections', { params, signal }))).selections
    },
  })

export type OtherSelections = {
  /** Selections before the last one, by the id of their guest. */
  earlier: ReadonlyMap<string, readonly Selection[]>
  ofErasedGuests: readonly Selection[]
}

/** Returns the selections that are not the last one of a guest, newest first. Requests them only if there are any. */
export function useOtherSelections(eventId: number, { guests, erased_selection_count }: Picks): OtherSelections {
  const hasOthers = erased_selection_count > 0 || guests.some(({ selection_count }) => selection_count > 1)
  const { data } = useQuery({ ...selectionsQuery(eventId), enabled: hasOthers })
  return useMemo(() => {
    const lastIds = new Set(guests.map(({ handed_in }) => handed_in?.id))
    const others = (hasOthers ? (data ?? []) : []).filter(({ id }) => !lastIds.has(id))
    const earlier = others.filter(({ guest }) => guest !== null)
    return {
      earlier: Map.groupBy(earlier, ({ guest }) => guest?.id ?? ''),
      ofErasedGuests: others.filter(({ guest }) => guest === null),
    }
  }, [data, guests, hasOthers])
}

export async function markSelection(selectionId: number, what: 'done' | 'open'): Promise<void> {
  const { event_id: eventId } = await unwrap(
    api.PUT(`/api/admin/feedback/selections/{selection_id}/${what}`, {
      params: { path: { selection_id: selectionId } },
    }),
  )
  await invalidateSelections(eventId)
}

/** Also the places outside the event that count open selections. */
export async function invalidateSelections(eventId: number): Promise<void> {
  void queries.invalidateQueries({ queryKey: ['events'] })
  void invalidateFeedback(eventId)
  await queries.invalidateQueries({ queryKey: ['dashboard'] })
}
