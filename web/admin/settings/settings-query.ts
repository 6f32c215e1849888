import { queryOptions } from '@tanstack/react-query'
import { api, must } from '../api/api.ts'

/** All settings of the instance, for whoever may see them. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/settings', { signal })),
})
