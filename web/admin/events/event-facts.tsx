import './event-facts.css'
import { Link } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import { dateWords, dayWords } from '../parts/time-words.ts'
import type { Event } from './event-here.tsx'
import { stateOf } from './event-state.ts'
import { StateBadge } from './state-badge.tsx'
import { useTypeWords } from './type-words.ts'

const say = sayIn('events')

export function EventFacts({ event }: { event: Event }) {
  const typeWords = useTypeWords()
  const state = stateOf(event)
  return (
    <div className="event-facts">
      <Link to="/events">{say('all')}</Link>
      <StateBadge event={event} />
      <span dir="auto">{typeWords(event.event_type)}</span>
      {event.event_date && <span>{dayWords(event.event_date)}</span>}
      <span>{say('photoCount', { count: event.photo_count })}</span>
      {state === 'live' && <span>{say('openUntil', { date: dateWords(event.expires_at) })}</span>}
      {state === 'expired' && <span>{say('closedSince', { date: dateWords(event.expires_at) })}</span>}
    </div>
  )
}
