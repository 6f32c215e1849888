import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { ApiError } from '../../api/api-error.ts'
import { sessionFetch } from '../../api/session-fetch.ts'
import { queries } from '../../app/query-client.ts'

export type ExportRecord = Schemas['ListExportsReply']['exports'][number]
export type ExportFilters = Record<string, string | number | undefined>

export const exportsQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['proofing', eventId, 'exports'] as const,
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          api.GET('/api/admin/feedback/events/{event_id}/exports', { params: { path: { event_id: eventId } }, signal }),
        )
      ).exports,
  })

/** The changes since an export of the same account. */
export const changesQuery = (eventId: number, exportId: number) =>
  queryOptions({
    queryKey: ['proofing', eventId, 'changes', exportId] as const,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/feedback/events/{event_id}/exports/{export_id}/changes', {
          params: { path: { event_id: eventId, export_id: exportId } },
          signal,
        }),
      ),
  })

export type ExportFile = { body: Blob; photos: number; name: string }

/** Downloads an export, which the server then records as the last one. Throws ApiError and Unreachable. */
export async function downloadExport(eventId: number, filters: ExportFilters): Promise<ExportFile> {
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

/** Returns the latest export of the same photos and marks. */
export const findLastExport = (exports: readonly ExportRecord[], filters: ExportFilters): ExportRecord | undefined =>
  exports.find(
    ({ choice }) =>
      choice !== null &&
      choiceDefaults.every(([key, defaultValue]) => (choice[key] ?? defaultValue) === (filters[key] ?? defaultValue)),
  )

const choiceDefaults = [
  ['mark_source', 'either'],
  ['picked_by', ''],
  ['pickers', 'any'],
  ['min_pickers', ''],
  ['selection', ''],
] as const
