import { useQuery } from '@tanstack/react-query'
import { useMay } from '../desk/me.ts'
import { healthQuery } from './health-query.ts'

/** Returns whether a mail server is configured; true while this is unknown and for accounts that may not see it. */
export function useMailSetUp(): boolean {
  const may = useMay()
  const { data: health } = useQuery({ ...healthQuery, enabled: may('settings.view') })
  return health?.items.find(({ key }) => key === 'mail')?.facts.is_configured !== false
}
