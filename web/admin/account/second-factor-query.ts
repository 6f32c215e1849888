import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/auth/mfa', { signal })),
})
