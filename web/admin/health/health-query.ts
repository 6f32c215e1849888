import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { language } from '../app/language.ts'

/** The health as the responding node sees it, in the language of the user. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/health', { params: { query: { language } }, signal })),
  staleTime: 30_000,
})
