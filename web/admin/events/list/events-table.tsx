import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { formatDate, formatNumber } from '../../components/format-time.ts'
import { Table } from '../../components/table.tsx'
import { EventMenu } from '../actions/event-menu.tsx'
import { CoverThumbnail } from '../cover-thumbnail.tsx'
import type { FoundEvent } from '../event-queries.ts'
import { getEventState } from '../event-state.ts'
import { StateBadge } from '../state-badge.tsx'
import { EventWaiting } from './event-waiting.tsx'
import { useEventFacts } from './use-event-facts.ts'

const t = translator('events')
const tParts = translator('parts')

export function EventsTable({ events }: { events: FoundEvent[] }) {
  return (
    <div className="events-table">
      <Table
        caption={t('events')}
        rows={events}
        rowKey={({ id }) => id}
        columns={[
          { head: t('event'), cell: (event) => <Name event={event} /> },
          {
            head: t('customer'),
            isWideOnly: true,
            cell: ({ customer_name, customer_email }) => <span dir="auto">{customer_name ?? customer_email}</span>,
          },
          { head: t('state'), cell: (event) => <State event={event} /> },
          {
            head: t('photos'),
            isNumeric: true,
            isWideOnly: true,
            cell: (event) => <Photos event={event} />,
          },
          { head: t('views'), isNumeric: true, isWideOnly: true, cell: ({ total_views }) => formatNumber(total_views) },
          {
            head: t('actions'),
            isHeadHidden: true,
            isNumeric: true,
            cell: (event) => <EventMenu event={event} isInList />,
          },
        ]}
      />
    </div>
  )
}

const Photos = ({ event: { photo_count, video_count } }: { event: FoundEvent }) => (
  <>
    {formatNumber(photo_count - video_count)}
    {video_count > 0 && <div className="events-facts">{tParts('videoCount', { count: video_count })}</div>}
  </>
)

function Name({ event }: { event: FoundEvent }) {
  const facts = useEventFacts(event)
  return (
    <div className="events-name">
      <CoverThumbnail eventId={event.id} photoId={event.cover_photo_id} />
      <div>
        <Link to="/events/$eventId" params={{ eventId: String(event.id) }} dir="auto">
          {event.event_name}
        </Link>
        <EventWaiting event={event} />
        <span className="events-facts">{facts}</span>
      </div>
    </div>
  )
}

function State({ event }: { event: FoundEvent }) {
  const state = getEventState(event)
  return (
    <div className="events-state">
      <StateBadge event={event} />
      {state === 'live' && event.expires_at && (
        <span className="events-facts">{t('until', { date: formatDate(event.expires_at) })}</span>
      )}
    </div>
  )
}
