import { queryOptions, useQuery } from '@tanstack/react-query'
import { must } from '../../../../contract/must.ts'
import { api, unwrap } from '../../api/api.ts'
import { ApiError } from '../../api/api-error.ts'
import { sessionFetch } from '../../api/session-fetch.ts'
import { queries } from '../../app/query-client.ts'

export type ExportFilters = Record<string, string | number | undefined>

const exportsQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'exports'] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId } }
      return (await unwrap(api.GET('/api/admin/feedback/events/{event_id}/exports', { params, signal }))).exports
    },
  })

/** Returns the latest export with the same filters, and the changes since then. */
export function useLastExport(eventId: number, filters: ExportFilters) {
  const { data: exports = [] } = useQuery(exportsQuery(eventId))
  const last = exports.find(
    ({ choice }) =>
      choice !== null &&
      choiceDefaults.every(([key, defaultValue]) => (choice[key] ?? defaultValue) === (filters[key] ?? defaultValue)),
  )
  const { data: changes } = useQuery({
    queryKey: ['feedback', eventId, 'changes', last?.id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/feedback/events/{event_id}/exports/{export_id}/changes', {
          params: { path: { event_id: eventId, export_id: must(last, 'the export').id } },
          signal,
        }),
      ),
    enabled: last !== undefined,
  })
  return { last, changes }
}

/** Downloads an export, which the server then records as the last one. Throws ApiError and Unreachable. */
export async function downloadExport(eventId: number, filters: ExportFilters) {
  const definedFilters = Object.entries(filters).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  )
  const query = new URLSearchParams(definedFilters)
  const response = await sessionFetch(new Request(`/api/admin/feedback/events/${eventId}/export?${query}`))
  if (!response.ok) throw new ApiError(response, await response.json().catch(() => null))
  const body = await response.blob()
  void queries.invalidateQueries({ queryKey: exportsQuery(eventId).queryKey })
  const [, name = 'picks'] = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { body, name, photos: Number(response.headers.get('x-export-photos')) }
}

const choiceDefaults = [
  ['mark_source', 'either'],
  ['picked_by', ''],
  ['pickers', 'any'],
  ['min_pickers', ''],
  ['selection', ''],
  ['marks_of', ''],
  ['comments', 'approved'],
] as const
