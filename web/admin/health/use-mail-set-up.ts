import { useQuery } from '@tanstack/react-query'
import { useMay } from '../desk/me.ts'
import { healthQuery } from './health-query.ts'

/** Whether there is a mail server; assumed of it as long as that is not known, and to whom it is not told. */
export function useMailSetUp(): boolean {
  const may = useMay()
  const { data: health } = useQuery({ ...healthQuery, enabled: may('settings.view') })
  return health?.items.find(({ key }) => key === 'mail')?.facts.is_configured !== false
}
