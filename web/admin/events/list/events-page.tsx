import './events-page.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Empty, Page } from '../../components/page.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { EventActions } from '../actions/event-actions.tsx'
import { eventsQuery } from '../event-queries.ts'
import { buildEventListQuery, type EventsSearch, omitUndefined } from '../events-search.ts'
import { NoEvents } from '../no-events.tsx'
import { EventCards } from './event-cards.tsx'
import { EventsTable } from './events-table.tsx'
import { EventsToolbar } from './events-toolbar.tsx'
import { useEventsView } from './events-view.ts'

const t = translator('events')
const tTrash = translator('trash')
const route = getRouteApi('/inside/events')

export function EventsPage() {
  const search: EventsSearch = route.useSearch()
  const navigate = route.useNavigate()
  const [view, setView] = useEventsView()
  const query = useQuery(eventsQuery(buildEventListQuery(search)))
  const isFiltered = Boolean(search.search || search.status || search.type)
  const isEmpty = query.data?.pagination.total === 0 && !isFiltered && !query.isPlaceholderData
  const changeSearch = (changes: EventsSearch) =>
    void navigate({
      search: (before) => omitUndefined({ ...before, page: undefined, ...changes }),
      replace: !changes.page,
    })
  return (
    <EventActions onDeleted={() => document.getElementById('main')?.focus()}>
      <Page
        title={t('events')}
        actions={
          <>
            <Link to="/events/trash" className={buttonClass('quiet')}>
              <Icon name="trash" />
              {tTrash('title')}
            </Link>
            {!isEmpty && <NewEvent />}
          </>
        }
      >
        {!isEmpty && <EventsToolbar {...{ search, view }} onChange={changeSearch} onView={setView} />}
        <Loaded query={query}>
          {({ events, pagination: { total, page, pages } }) => (
            <>
              {!isEmpty && (
                <p className="heard" role="status">
                  {t('found', { count: total })}
                </p>
              )}
              {events.length > 0 &&
                (view === 'covers' ? <EventCards events={events} /> : <EventsTable events={events} />)}
              {isEmpty && (
                <NoEvents action={<NewEvent />}>
                  <FirstSteps />
                </NoEvents>
              )}
              {events.length === 0 && !isEmpty && (
                <Empty title={t('nothingFound')} text={t('nothingFoundText')}>
                  <Button onClick={() => void navigate({ search: {} })}>{t('showAll')}</Button>
                </Empty>
              )}
              <Pagination page={page} pages={pages} onPage={(page) => changeSearch({ page })} />
            </>
          )}
        </Loaded>
      </Page>
    </EventActions>
  )
}

function NewEvent() {
  const hasPermission = useHasPermission()
  return (
    hasPermission('events.create') && (
      <Link to="/events/new" className={buttonClass('primary')}>
        <Icon name="plus" />
        {t('newEvent')}
      </Link>
    )
  )
}

function FirstSteps() {
  const hasPermission = useHasPermission()
  return hasPermission('events.create') ? (
    <Empty title={t('noEvents')} text={t('noEventsText')}>
      <NewEvent />
    </Empty>
  ) : (
    <Empty title={t('noEvents')} text={t('noEventsForMe')} />
  )
}
