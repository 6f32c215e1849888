import { Link } from '@tanstack/react-router'
import type { Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Table } from '../parts/table.tsx'
import { sinceWords, timeWords } from '../parts/time-words.ts'
import { ActivityEvent } from './activity-event.tsx'
import { ActivityPerson } from './activity-person.tsx'
import { entryLabel } from './activity-words.ts'

const say = sayIn('health')

type Activity = Wire['Activity']

export const ActivityTable = ({ records }: { records: Activity[] }) => (
  <div className="activity-table">
    <Table
      caption={say('activity')}
      rows={records}
      rowKey={({ id }) => id}
      columns={[
        { head: say('action'), cell: (record) => <Action record={record} /> },
        {
          head: say('event'),
          isExtra: true,
          cell: ({ event }) => event && <ActivityEvent event={event} />,
        },
        { head: say('from'), isExtra: true, cell: (record) => <From record={record} /> },
        {
          head: say('at'),
          cell: ({ at }) => (
            <time dateTime={at} title={timeWords(at)}>
              {sinceWords(at)}
            </time>
          ),
        },
      ]}
    />
  </div>
)

/** Small screens hide the column of the event and show the event here. */
const Action = ({ record }: { record: Activity }) => (
  <div className="activity-entry">
    <span>{entryLabel(record)}</span>
    <span className="activity-by">
      <ActivityPerson record={record} />
      {record.event && (
        <span className="activity-below">
          <ActivityEvent event={record.event} />
        </span>
      )}
    </span>
  </div>
)

const From = ({ record: { via, token_id, address } }: { record: Activity }) => (
  <div className="activity-entry">
    {via === 'token' ? <Link to="/tokens">{say('viaToken', { id: String(token_id) })}</Link> : say(`via_${via}`)}
    {address && <span className="activity-by">{address}</span>}
  </div>
)
