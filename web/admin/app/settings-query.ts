import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'

/** For accounts with the permission `settings.view`. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/settings', { signal })),
})
