import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { language } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'

/** The health as the responding node sees it, in the language of the user. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/health', { params: { query: { language } }, signal })),
  staleTime: 30_000,
})

/** Returns whether a mail server is configured; true until this is loaded, or without permission `settings.view`. */
export function useIsMailConfigured(): boolean {
  const hasPermission = useHasPermission()
  const { data: health } = useQuery({ ...healthQuery, enabled: hasPermission('settings.view') })
  return health?.items.find(({ key }) => key === 'mail')?.facts.is_configured !== false
}
