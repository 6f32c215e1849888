import './event-facts.css'
import { Link } from '@tanstack/react-router'
import { translator } from '../desk/language.ts'
import { formatDate, formatDay } from '../parts/time-words.ts'
import type { Event } from './event-here.tsx'
import { getEventState } from './event-state.ts'
import { StateBadge } from './state-badge.tsx'
import { useTypeLabels } from './type-words.ts'

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
