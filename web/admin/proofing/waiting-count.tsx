import { useQuery } from '@tanstack/react-query'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { formatNumber } from '../parts/time-words.ts'
import { commentCountQuery } from './comments-query.ts'
import './waiting-count.css'

const t = translator('proofing')

export function WaitingCount({ eventId }: { eventId: number }) {
  const isShown = useMay()('photos.view')
  const { data: count = 0 } = useQuery({
    ...commentCountQuery(eventId, { status: 'pending' }),
    enabled: isShown,
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
