import './recent-galleries.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { formatPhotos } from '../components/format-photos.ts'
import { Card } from '../components/page.tsx'
import { CoverThumbnail } from '../events/cover-thumbnail.tsx'
import { eventsQuery } from '../events/event-queries.ts'

const t = translator('dashboard')
const tEvents = translator('events')

export function RecentGalleries() {
  const { data } = useQuery(eventsQuery({ limit: 6 }))
  if (!data || data.events.length === 0) return null
  return (
    <Card title={t('recentGalleries')} actions={<Link to="/events">{tEvents('all')}</Link>}>
      <ul className="recent-galleries">
        {data.events.map(({ id, event_name, cover_photo_id, ...counts }) => (
          <li key={id}>
            <Link to="/events/$eventId" params={{ eventId: String(id) }}>
              <CoverThumbnail eventId={id} photoId={cover_photo_id} />
              <strong dir="auto">{event_name}</strong>
              <span className="quiet-text">{formatPhotos(counts)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
