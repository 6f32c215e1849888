import { queryOptions } from '@tanstack/react-query'
import { api, must } from '../api/api.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/auth/mfa', { signal })),
})
