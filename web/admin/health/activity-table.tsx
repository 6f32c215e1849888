import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { Table } from '../components/table.tsx'
import { ActivityEvent } from './activity-event.tsx'
import { entryLabel } from './activity-labels.ts'
import { ActivityPerson } from './activity-person.tsx'

const t = translator('health')

type Activity = Schemas['Activity']

export const ActivityTable = ({ records }: { records: Activity[] }) => (
  <div className="activity-table">
    <Table
      caption={t('activity')}
      rows={records}
      rowKey={({ id }) => id}
      columns={[
        { head: t('action'), cell: (record) => <Action record={record} /> },
        {
          head: t('event'),
          isWideOnly: true,
          cell: ({ event }) => event && <ActivityEvent event={event} />,
        },
        { head: t('from'), isWideOnly: true, cell: (record) => <From record={record} /> },
        {
          head: t('at'),
          cell: ({ at }) => (
            <time dateTime={at} title={formatTime(at)}>
              {formatRelativeTime(at)}
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
    {via === 'token' ? <Link to="/tokens">{t('viaToken', { id: String(token_id) })}</Link> : t(`via_${via}`)}
    {address && <span className="activity-by">{address}</span>}
  </div>
)
