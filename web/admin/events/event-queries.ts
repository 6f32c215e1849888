import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { paths } from '../api/admin-api.d.ts'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { queries } from '../app/query-client.ts'
import type { Event } from './event-context.tsx'
import type { EventListQuery } from './events-search.ts'
import { showCategoryName } from './show-category-name.ts'

export const eventQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/events/{event_id}', { params: { path: { event_id: eventId } }, signal })),
  })

export type FoundEvent = Schemas['FoundEvent']
export type Category =
  paths['/api/admin/categories/global']['get']['responses'][200]['content']['application/json'][number]

export const eventsQuery = (query: EventListQuery) =>
  queryOptions({
    queryKey: ['events', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/events', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/event-types', { signal }))).eventTypes,
  staleTime: 5 * 60_000,
})

export const eventDefaultsQuery = queryOptions({
  queryKey: ['events', 'defaults'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/event-defaults', { signal })),
})

const showNames = (categories: Category[]): Category[] =>
  categories.map((category) => ({ ...category, name: showCategoryName(category) }))

/** With the names to show; the programs of others get the stored names. */
export const globalCategoriesQuery = queryOptions({
  queryKey: ['categories', 'global'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/categories/global', { signal })),
  select: showNames,
})

/** With the names to show, like `globalCategoriesQuery`. */
export const eventCategoriesQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['categories', eventId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/categories/event/{event_id}', { params: { path: { event_id: eventId } }, signal })),
    select: showNames,
  })

export const changeEvent = (eventId: number, body: Schemas['ChangeEvent']): Promise<Event> =>
  unwrap(api.PATCH('/api/admin/events/{event_id}', { params: { path: { event_id: eventId } }, body }))

/** The gallery expires now. */
export const closeEvent = (eventId: number): Promise<Event> =>
  unwrap(api.POST('/api/admin/events/{event_id}/close', { params: { path: { event_id: eventId } } }))

/** Caches the event that a mutation returned, and invalidates the event lists and the dashboard. */
export async function updateCachedEvent(event: Event): Promise<void> {
  queries.setQueryData(eventQuery(event.id).queryKey, event)
  await invalidateEvents()
}

export async function invalidateEvents(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['events'] }),
    queries.invalidateQueries({ queryKey: ['dashboard'] }),
  ])
}

/** Removes the cached data of a deleted event. Call it after the pages of the event are closed. */
export function removeCachedEvent(eventId: number): void {
  for (const module of ['event', 'photos', 'categories', 'feedback'])
    queries.removeQueries({ queryKey: [module, eventId] })
}
