import './activity-event.css'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/api.ts'
import { hasMessage, listMessageKeys, translator } from '../app/language.ts'

const t = translator('health')

export const ActivityEvent = ({ event }: { event: NonNullable<Schemas['Act']['event']> }) =>
  event.event_name === null ? (
    <span className="quiet-text">{t('formerEvent')}</span>
  ) : (
    <Link to="/events/$eventId" params={{ eventId: String(event.id) }} className="activity-event" dir="auto">
      {event.event_name}
    </Link>
  )

/** Returns the label of an action; the action itself if a newer server sends an unknown one. */
export function actionLabel(action: string): string {
  const key = `action_${action}`
  return hasMessage('health', key) ? t(key) : action
}

export const listLabeledActions = (): string[] =>
  listMessageKeys('health').flatMap((key) => (key.startsWith('action_') ? [key.replace('action_', '')] : []))
