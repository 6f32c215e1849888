import './activity-lines.css'
import type { Schemas } from '../api/api.ts'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { ActivityEvent } from './activity-event.tsx'
import { entryLabel } from './activity-labels.ts'
import { ActivityPerson } from './activity-person.tsx'

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
