import { useQuery } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { formatNumber } from '../../components/format-time.ts'
import { commentCountQuery } from './comments-query.ts'
import './pending-count.css'

const t = translator('proofing')

export function PendingCount({ eventId }: { eventId: number }) {
  const canView = useHasPermission()('photos.view')
  const { data: count = 0 } = useQuery({
    ...commentCountQuery(eventId, { status: 'pending' }),
    enabled: canView,
    refetchInterval: 60_000,
  })
  if (count === 0) return null
  return (
    <span className="waiting-count">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="heard">{t('waiting', { count })}</span>
    </span>
  )
}
