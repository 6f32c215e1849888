import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'

export type GuestNote = Schemas['GuestNote']
type Status = GuestNote['status']

const fetchNotes = (eventId: number, query: { status: Status; page: number; limit: number }, signal: AbortSignal) =>
  unwrap(
    api.GET('/api/admin/feedback/events/{event_id}/notes', { params: { path: { event_id: eventId }, query }, signal }),
  )

export const notesQuery = (eventId: number, status: Status, page = 1) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'notes', status, page] as const,
    queryFn: ({ signal }) => fetchNotes(eventId, { status, page, limit: 20 }, signal),
  })

export const openNotesQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'openNotes'] as const,
    queryFn: async ({ signal }) =>
      (await fetchNotes(eventId, { status: 'open', page: 1, limit: 1 }, signal)).pagination.total,
  })
