import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { queries } from '../../app/query-client.ts'

export type Package = Schemas['Package']

const path = '/api/admin/events/{event_id}/package'
const toParams = (eventId: number) => ({ params: { path: { event_id: eventId } } })

export const packageQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['event', eventId, 'package'] as const,
    queryFn: async ({ signal }) => (await unwrap(api.GET(path, { ...toParams(eventId), signal }))).package,
  })

/** How many guests have favorites, which become picks of their first round. */
export const pickersQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['feedback', eventId, 'pickers'] as const,
    queryFn: async ({ signal }) => {
      const params = { ...toParams(eventId).params, query: { limit: 100 } }
      const { guests } = await unwrap(api.GET('/api/admin/events/{event_id}/guests', { params, signal }))
      return guests.filter(({ favorite_count }) => favorite_count > 0).length
    },
  })

/** `null` removes the package. */
export async function changePackage(eventId: number, body: Schemas['PackageBody'] | null): Promise<void> {
  const saved = await unwrap(body ? api.PUT(path, { ...toParams(eventId), body }) : api.DELETE(path, toParams(eventId)))
  queries.setQueryData(packageQuery(eventId).queryKey, saved.package)
  await queries.invalidateQueries({ queryKey: ['feedback', eventId] })
}
