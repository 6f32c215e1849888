import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { NotFound } from '../../app/not-found.tsx'
import { buttonClass } from '../../components/button.tsx'
import { LoadedPage } from '../../components/loaded-page.tsx'
import { Page } from '../../components/page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { PendingCount } from '../../feedback/comments/pending-count.tsx'
import { EventActions } from '../actions/event-actions.tsx'
import { EventMenu } from '../actions/event-menu.tsx'
import { MainAction } from '../actions/main-action.tsx'
import { EventProvider } from '../event-context.tsx'
import { eventQuery } from '../event-queries.ts'
import { EventFacts } from './event-facts.tsx'

const t = translator('events')
const route = getRouteApi('/inside/events/$eventId')

export function EventFrame() {
  const { eventId } = route.useParams()
  return isCanonicalId(eventId) ? <LoadedEventFrame eventId={eventId} /> : <NotFound />
}

/** Accepts only the canonical form of an id, so that each event page has one address. */
const isCanonicalId = (param: string): boolean => /^[1-9]\d{0,14}$/.test(param)

function LoadedEventFrame({ eventId }: { eventId: string }) {
  const navigate = useNavigate()
  const query = useQuery(eventQuery(Number(eventId)))
  const listLink = (
    <Link to="/events" className={buttonClass('primary')}>
      {t('all')}
    </Link>
  )
  const notFound = { title: t('goneTitle'), text: t('goneText'), listLink }
  return (
    <LoadedPage query={query} title={t('events')} notFound={notFound}>
      {(event) => (
        <EventProvider event={event}>
          <EventActions onDeleted={() => navigate({ to: '/events', ignoreBlocker: true })}>
            <Page
              title={event.event_name}
              breadcrumb={<EventFacts event={event} />}
              actions={
                <>
                  <MainAction event={event} />
                  <EventMenu event={event} />
                </>
              }
            >
              <Tabs label={t('parts')}>
                <Link to="/events/$eventId" params={{ eventId }} activeOptions={{ exact: true, includeSearch: false }}>
                  {t('photos')}
                </Link>
                <Link to="/events/$eventId/picks" params={{ eventId }}>
                  {t('picks')}
                </Link>
                <Link to="/events/$eventId/comments" params={{ eventId }}>
                  {t('comments')}
                  <PendingCount eventId={event.id} />
                </Link>
                <Link to="/events/$eventId/share" params={{ eventId }}>
                  {t('share')}
                </Link>
                <Link to="/events/$eventId/edit" params={{ eventId }}>
                  {t('edit')}
                </Link>
              </Tabs>
              <Outlet />
            </Page>
          </EventActions>
        </EventProvider>
      )}
    </LoadedPage>
  )
}
