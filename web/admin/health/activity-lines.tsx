import './activity-lines.css'
import type { Schemas } from '../api/api.ts'
import { formatRelativeTime, formatTime } from '../parts/time-words.ts'
import { ActivityEvent } from './activity-event.tsx'
import { ActivityPerson } from './activity-person.tsx'
import { entryLabel } from './activity-words.ts'

export const ActivityLines = ({ records }: { records: Schemas['Activity'][] }) => (
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
