import './activity-event.css'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'

const t = translator('health')

export const ActivityEvent = ({ event }: { event: NonNullable<Schemas['Activity']['event']> }) =>
  event.event_name === null ? (
    <span className="quiet-text">{t('formerEvent')}</span>
  ) : (
    <Link to="/events/$eventId" params={{ eventId: String(event.id) }} className="activity-event" dir="auto">
      {event.event_name}
    </Link>
  )
