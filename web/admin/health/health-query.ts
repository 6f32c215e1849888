import { queryOptions } from '@tanstack/react-query'
import { api, must } from '../api/api.ts'
import { language } from '../desk/language.ts'

/** How the service is doing, as far as the node knows that answers; in the words of the reader's language. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/health', { params: { query: { language } }, signal })),
  staleTime: 30_000,
})
