import { queryOptions } from '@tanstack/react-query'
import { api, must } from '../api/api.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/settings', { signal })),
})
