import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router'
import { translator } from '../desk/language.ts'
import { NotFound } from '../desk/not-found.tsx'
import { buttonClass } from '../parts/button.tsx'
import { LoadedPage } from '../parts/loaded-page.tsx'
import { Page } from '../parts/page.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { PendingCount } from '../proofing/waiting-count.tsx'
import { EventActions } from './event-actions.tsx'
import { EventFacts } from './event-facts.tsx'
import { EventProvider } from './event-here.tsx'
import { EventMenu } from './event-menu.tsx'
import { eventQuery } from './event-query.ts'
import { MainAction } from './main-action.tsx'

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
