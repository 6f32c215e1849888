import './activity-event.css'
import './activity-lines.css'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/api.ts'
import { hasMessage, listMessageKeys, translator } from '../app/language.ts'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'

const t = translator('health')

type Activity = Schemas['Activity']

export const ActivityLines = ({ records }: { records: Activity[] }) => (
  <ul className="activity-lines">
    {records.map((record) => (
      <li key={record.id}>
        <ActivityPerson record={record} />
        <span>{entryLabel(record)}</span>
        {record.event && <ActivityEvent event={record.event} />}
        <time dateTime={record.at} title={formatTime(record.at)}>
          {formatRelativeTime(record.at)}
        </time>
      </li>
    ))}
  </ul>
)

export const ActivityEvent = ({ event }: { event: NonNullable<Activity['event']> }) =>
  event.event_name === null ? (
    <span className="quiet-text">{t('formerEvent')}</span>
  ) : (
    <Link to="/events/$eventId" params={{ eventId: String(event.id) }} className="activity-event" dir="auto">
      {event.event_name}
    </Link>
  )

/** `user` is null for a sign-in with an unknown user name. */
export const ActivityPerson = ({ record: { user } }: { record: Activity }) => (
  <span className="activity-who" dir="auto">
    {user ? (user.username ?? t('formerAccount')) : t('nobodyKnown')}
  </span>
)

/** Returns the label of an action; the action itself if a newer server sends an unknown one. */
export function actionLabel(action: string): string {
  const key = `action_${action}`
  return hasMessage('health', key) ? t(key) : action
}

export const listLabeledActions = (): string[] =>
  listMessageKeys('health').flatMap((key) => (key.startsWith('action_') ? [key.replace('action_', '')] : []))

export const entryLabel = ({ action, outcome, count }: { action: string; outcome: string; count: number }): string => {
  const name = outcome === 'locked' ? t('lockedSignIn') : actionLabel(action)
  return count > 1 ? t('manyTimes', { name, count }) : name
}
