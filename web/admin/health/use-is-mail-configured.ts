import { useQuery } from '@tanstack/react-query'
import { useHasPermission } from '../app/me.ts'
import { healthQuery } from './health-query.ts'

/** Returns whether a mail server is configured; true while this is unknown and for accounts that may not see it. */
export function useIsMailConfigured(): boolean {
  const hasPermission = useHasPermission()
  const { data: health } = useQuery({ ...healthQuery, enabled: hasPermission('settings.view') })
  return health?.items.find(({ key }) => key === 'mail')?.facts.is_configured !== false
}
