import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import type { FoundEvent } from '../event-queries.ts'

const t = translator('events')

/** What waits for an answer, each with a link to where it is given. */
export function EventWaiting({ event: { id, waiting } }: { event: FoundEvent }) {
  const { selections, comments, guest_uploads, notes } = waiting
  const params = { eventId: String(id) }
  if (selections + comments + guest_uploads + notes === 0) return null
  return (
    <span className="events-waiting">
      {selections > 0 && (
        <Link to="/events/$eventId/picks" params={params}>
          {t('waitingSelections', { count: selections })}
        </Link>
      )}
      {guest_uploads > 0 && (
        <Link to="/events/$eventId" params={params} search={{ review: 'waiting' }}>
          {t('waitingUploads', { count: guest_uploads })}
        </Link>
      )}
      {comments > 0 && (
        <Link to="/events/$eventId/comments" params={params} search={{ status: 'pending' }}>
          {t('waitingComments', { count: comments })}
        </Link>
      )}
      {notes > 0 && (
        <Link to="/events/$eventId/todo" params={params}>
          {t('waitingNotes', { count: notes })}
        </Link>
      )}
    </span>
  )
}
