import './event-cards.css'
import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { formatPhotos } from '../../components/format-photos.ts'
import { formatDate } from '../../components/format-time.ts'
import { EventMenu } from '../actions/event-menu.tsx'
import { CoverThumbnail } from '../cover-thumbnail.tsx'
import type { FoundEvent } from '../event-queries.ts'
import { getEventState } from '../event-state.ts'
import { StateBadge } from '../state-badge.tsx'
import { EventWaiting } from './event-waiting.tsx'
import { useEventFacts } from './use-event-facts.ts'

const t = translator('events')

export const EventCards = ({ events }: { events: FoundEvent[] }) => (
  <ul className="event-cards" aria-label={t('events')}>
    {events.map((event) => (
      <EventCard key={event.id} event={event} />
    ))}
  </ul>
)

/** The link of the name also covers the picture. */
function EventCard({ event }: { event: FoundEvent }) {
  const state = getEventState(event)
  const facts = useEventFacts(event)
  return (
    <li className="event-card">
      <CoverThumbnail eventId={event.id} photoId={event.cover_photo_id} />
      <div className="event-card-head">
        <h2>
          <Link to="/events/$eventId" params={{ eventId: String(event.id) }} dir="auto">
            {event.event_name}
          </Link>
        </h2>
        <EventMenu event={event} isInList />
      </div>
      <p className="events-facts">
        {facts} · <span className="event-card-count">{formatPhotos(event)}</span>
      </p>
      <EventWaiting event={event} />
      <div className="event-card-state">
        <StateBadge event={event} />
        {state === 'live' && event.expires_at && (
          <span className="events-facts">{t('until', { date: formatDate(event.expires_at) })}</span>
        )}
      </div>
    </li>
  )
}
