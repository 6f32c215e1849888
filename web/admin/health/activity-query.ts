import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { type ActivitySearch, toActivityQuery } from './activity-search.ts'

export const activityQuery = (search: ActivitySearch) =>
  queryOptions({
    queryKey: ['activity', search],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/activity', { params: { query: toActivityQuery(search) }, signal })),
    placeholderData: keepPreviousData,
  })

/** The accounts of the filter. Only super admins may list them. */
export const accountsQuery = queryOptions({
  queryKey: ['people', 'names'],
  queryFn: async ({ signal }) => {
    const { users } = await unwrap(api.GET('/api/admin/users', { params: { query: { limit: 100 } }, signal }))
    return users.map(({ id, username }) => ({ id, username }))
  },
  staleTime: 60_000,
})

export const eventNamesQuery = queryOptions({
  queryKey: ['events', 'names'],
  queryFn: async ({ signal }) => {
    const { events } = await unwrap(api.GET('/api/admin/events', { params: { query: { limit: 100 } }, signal }))
    return events.map(({ id, event_name }) => ({ id, event_name }))
  },
  staleTime: 60_000,
})
