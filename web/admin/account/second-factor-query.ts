import { queryOptions } from '@tanstack/react-query'
import { api, must } from '../api/api.ts'

/** Whether whoever is signed in has a second factor. */
export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/auth/mfa', { signal })),
})
