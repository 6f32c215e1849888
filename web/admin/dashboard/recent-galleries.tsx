import './recent-galleries.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { formatPhotos } from '../components/format-photos.ts'
import { Card } from '../components/page.tsx'
import { CoverThumbnail } from '../events/cover-thumbnail.tsx'
import { eventsQuery, type FoundEvent } from '../events/event-queries.ts'

const t = translator('dashboard')
const tEvents = translator('events')

export function RecentGalleries() {
  const { data } = useQuery(eventsQuery({ limit: 6 }))
  if (!data || data.events.length === 0) return null
  const covered = data.events.filter(({ cover_photo_id }) => cover_photo_id !== null)
  const empty = data.events.filter(({ cover_photo_id }) => cover_photo_id === null)
  return (
    <Card title={t('recentGalleries')} actions={<Link to="/events">{tEvents('all')}</Link>}>
      {covered.length > 0 && <Galleries events={covered} />}
      {empty.length > 0 && <Galleries events={empty} isPlain />}
    </Card>
  )
}

type Props = { events: FoundEvent[]; isPlain?: boolean }

/** `isPlain`: one line for each gallery, with a small placeholder for the cover. */
const Galleries = ({ events, isPlain = false }: Props) => (
  <ul className={`recent-galleries${isPlain ? ' plain' : ''}`}>
    {events.map(({ id, event_name, cover_photo_id, ...counts }) => (
      <li key={id}>
        <Link to="/events/$eventId" params={{ eventId: String(id) }}>
          <CoverThumbnail eventId={id} photoId={cover_photo_id} />
          <strong dir="auto">{event_name}</strong>
          <span className="quiet-text">{formatPhotos(counts)}</span>
        </Link>
      </li>
    ))}
  </ul>
)
