import { Link } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import { Table } from '../parts/table.tsx'
import { dateWords, dayWords, numberWords } from '../parts/time-words.ts'
import { CoverThumbnail } from './cover-thumbnail.tsx'
import { EventMenu } from './event-menu.tsx'
import type { FoundEvent } from './event-query.ts'
import { stateOf } from './event-state.ts'
import { StateBadge } from './state-badge.tsx'
import { useTypeWords } from './type-words.ts'

const say = sayIn('events')

export function EventsTable({ events }: { events: FoundEvent[] }) {
  return (
    <div className="events-table">
      <Table
        caption={say('events')}
        rows={events}
        rowKey={({ id }) => id}
        columns={[
          { head: say('event'), cell: (event) => <Name event={event} /> },
          {
            head: say('customer'),
            isExtra: true,
            cell: ({ customer_name, customer_email }) => <span dir="auto">{customer_name ?? customer_email}</span>,
          },
          { head: say('state'), cell: (event) => <State event={event} /> },
          {
            head: say('photos'),
            isNumber: true,
            isExtra: true,
            cell: ({ photo_count }) => numberWords(photo_count),
          },
          { head: say('views'), isNumber: true, isExtra: true, cell: ({ total_views }) => numberWords(total_views) },
          {
            head: say('actions'),
            isHeadHeard: true,
            isNumber: true,
            cell: (event) => <EventMenu event={event} isInList />,
          },
        ]}
      />
    </div>
  )
}

function Name({ event }: { event: FoundEvent }) {
  const typeWords = useTypeWords()
  const facts = [typeWords(event.event_type), event.event_date && dayWords(event.event_date)]
  return (
    <div className="events-name">
      <CoverThumbnail eventId={event.id} photoId={event.cover_photo_id} />
      <div>
        <Link to="/events/$eventId" params={{ eventId: String(event.id) }} dir="auto">
          {event.event_name}
        </Link>
        <span className="events-facts">{facts.filter(Boolean).join(' · ')}</span>
      </div>
    </div>
  )
}

function State({ event }: { event: FoundEvent }) {
  const state = stateOf(event)
  return (
    <div className="events-state">
      <StateBadge event={event} />
      {state === 'live' && <span className="events-facts">{say('until', { date: dateWords(event.expires_at) })}</span>}
    </div>
  )
}
