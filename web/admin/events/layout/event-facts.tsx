import './event-facts.css'
import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { formatDate, formatDay } from '../../components/format-time.ts'
import type { Event } from '../event-context.tsx'
import { getEventState } from '../event-state.ts'
import { StateBadge } from '../state-badge.tsx'
import { useTypeLabels } from '../type-labels.ts'

const t = translator('events')

export function EventFacts({ event }: { event: Event }) {
  const typeLabel = useTypeLabels()
  const state = getEventState(event)
  return (
    <div className="event-facts">
      <Link to="/events">{t('all')}</Link>
      <StateBadge event={event} />
      <span dir="auto">{typeLabel(event.event_type)}</span>
      {event.event_date && <span>{formatDay(event.event_date)}</span>}
      <span>{t('photoCount', { count: event.photo_count })}</span>
      {state === 'live' && <span>{t('openUntil', { date: formatDate(event.expires_at) })}</span>}
      {state === 'expired' && <span>{t('closedSince', { date: formatDate(event.expires_at) })}</span>}
    </div>
  )
}
