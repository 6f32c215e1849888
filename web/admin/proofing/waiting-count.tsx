import { useQuery } from '@tanstack/react-query'
import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { numberWords } from '../parts/time-words.ts'
import { commentCountQuery } from './comments-query.ts'
import './waiting-count.css'

const say = sayIn('proofing')

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
      <span aria-hidden="true">{numberWords(count)}</span>
      <span className="heard">{say('waiting', { count })}</span>
    </span>
  )
}
