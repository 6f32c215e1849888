import { queryOptions, useQuery } from '@tanstack/react-query'
import { must } from '../../../../contract/must.ts'
import { ApiError } from '../../../shared/api-error.ts'
import { api, unwrap } from '../../api/api.ts'
import { sessionFetch } from '../../api/session-fetch.ts'
import { queries } from '../../app/query-client.ts'

export type ExportFilters = Record<string, string | number | undefined>

const exportsQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'exports'] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId } }
      return unwrap(api.GET('/api/admin/feedback/events/{event_id}/exports', { params, signal }))
    },
  })

/** Returns the picked photos that have the name of another photo. */
export const useSharedNames = (eventId: number) => useQuery(exportsQuery(eventId)).data?.shared_names

/** Returns the latest export with the same filters, and the changes since then. */
export function useLastExport(eventId: number, filters: ExportFilters) {
  const { data: listed } = useQuery(exportsQuery(eventId))
  const last = listed?.exports.find(
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
  return receiveExport(eventId, new Request(`/api/admin/feedback/events/${eventId}/export?${toQuery(filters)}`))
}

/** Like `downloadExport`, for the marks in existing sidecars. */
export async function downloadMergedSidecars(eventId: number, filters: ExportFilters, sidecars: readonly File[]) {
  const body = new FormData()
  for (const sidecar of sidecars) body.append('sidecars', sidecar, sidecar.name)
  const address = `/api/admin/feedback/events/${eventId}/export/sidecars?${toQuery(filters)}`
  return receiveExport(eventId, new Request(address, { method: 'POST', body }))
}

const toQuery = (filters: ExportFilters): URLSearchParams =>
  new URLSearchParams(
    Object.entries(filters).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )

async function receiveExport(eventId: number, request: Request) {
  const response = await sessionFetch(request)
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null))
  const body = await response.blob()
  void queries.invalidateQueries({ queryKey: exportsQuery(eventId).queryKey })
  const [, name = 'picks'] = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const count = (header: string) => Number(response.headers.get(header) ?? 0)
  return { body, name, photos: count('x-export-photos'), leftOut: count('x-export-left-out') }
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
