import './activity.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { omitUndefined } from '../app/search-params.ts'
import { Button } from '../components/button.tsx'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { Empty, Page } from '../components/page.tsx'
import { Pagination } from '../components/pagination.tsx'
import { Table } from '../components/table.tsx'
import { ActivityFilter } from './activity-filter.tsx'
import { ActivityEvent, ActivityPerson, entryLabel } from './activity-parts.tsx'
import { type ActivityChanges, isFiltered, parseActivitySearch, toActivityQuery } from './activity-search.ts'

const t = translator('health')
const route = getRouteApi('/inside/activity')

export function ActivityPage() {
  const search = parseActivitySearch(route.useSearch())
  const navigate = route.useNavigate()
  const query = useQuery({
    queryKey: ['activity', search],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/activity', { params: { query: toActivityQuery(search) }, signal })),
    placeholderData: keepPreviousData,
  })
  const changeSearch = (changes: ActivityChanges) =>
    void navigate({ search: omitUndefined({ ...search, page: undefined, ...changes }), replace: !changes.page })
  return (
    <Page title={t('activity')}>
      <ActivityFilter search={search} onChange={changeSearch} />
      <Loaded query={query}>
        {({ activity, pagination: { page, pages, total } }) => (
          <>
            <p className="heard" role="status">
              {t('actionsFound', { count: total })}
            </p>
            {activity.length > 0 && <ActivityTable records={activity} />}
            {activity.length === 0 && !isFiltered(search) && <Empty title={t('noActions')} text={t('noActionsText')} />}
            {activity.length === 0 && isFiltered(search) && (
              <Empty title={t('noSuchActions')} text={t('noSuchActionsText')}>
                <Button onClick={() => void navigate({ search: {} })}>{t('allActions')}</Button>
              </Empty>
            )}
            <Pagination page={page} pages={pages} onPage={(to) => changeSearch({ page: to })} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

type Activity = Schemas['Activity']

const ActivityTable = ({ records }: { records: Activity[] }) => (
  <div className="activity-table">
    <Table
      caption={t('activity')}
      rows={records}
      rowKey={({ id }) => id}
      columns={[
        { head: t('action'), cell: (record) => <Action record={record} /> },
        { head: t('event'), isWideOnly: true, cell: ({ event }) => event && <ActivityEvent event={event} /> },
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

/** On small screens, the event column is hidden and the event is shown here. */
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
