import '../components/waiting-count.css'
import { formatNumber } from '../components/format-time.ts'
import './event-frame.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { buttonClass } from '../components/button.tsx'
import { formatPhotos } from '../components/format-photos.ts'
import { formatDate, formatDay } from '../components/format-time.ts'
import { LoadedPage } from '../components/loaded.tsx'
import { NotFound } from '../components/not-found.tsx'
import { Page } from '../components/page.tsx'
import { Tabs } from '../components/tabs.tsx'
import { EventActions } from '../events/actions/event-actions.tsx'
import { EventMenu } from '../events/actions/event-menu.tsx'
import { MainAction } from '../events/actions/main-action.tsx'
import { type Event, EventProvider } from '../events/event-context.tsx'
import { eventQuery } from '../events/event-queries.ts'
import { getEventState } from '../events/event-state.ts'
import { StateBadge } from '../events/state-badge.tsx'
import { trashedPhotosQuery } from '../events/trash/trash-queries.ts'
import { useTypeLabels } from '../events/type-labels.ts'
import { commentCountQuery } from '../feedback/comments/comments-query.ts'
import { openSelectionsQuery } from '../feedback/selections-query.ts'
import { threadCountQuery } from '../feedback/threads/threads-query.ts'
import { photoCountQuery } from '../photos/model/photo-queries.ts'

const ReviewLine = lazy(async () => ({ default: (await import('../feedback/review-line.tsx')).ReviewLine }))

const t = translator('events')
const tFeedback = translator('feedback')
const tTrash = translator('trash')
const route = getRouteApi('/inside/events/$eventId')

export function EventFrame() {
  const { eventId } = route.useParams()
  return isCanonicalId(eventId) ? <LoadedEventFrame eventId={eventId} /> : <NotFound />
}

/** Rejects ids with leading zeros or signs, so that each event page has only one address. */
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
                  <UploadsToReview eventId={event.id} />
                </Link>
                {(['picks', 'todo', 'comments', 'share', 'edit'] as const).map((page) => (
                  <Link key={page} to={`/events/$eventId/${page}`} params={{ eventId }}>
                    {t(page)}
                    {page === 'picks' && <SubmittedPicks eventId={event.id} />}
                    {page === 'todo' && <OpenRequests eventId={event.id} />}
                    {page === 'comments' && <PendingComments eventId={event.id} />}
                  </Link>
                ))}
                <TrashTab eventId={event.id} />
              </Tabs>
              <Outlet />
            </Page>
          </EventActions>
        </EventProvider>
      )}
    </LoadedPage>
  )
}

/** Hidden while the trash is empty. */
function TrashTab({ eventId }: { eventId: number }) {
  const canView = useHasPermission()('photos.view')
  const { data } = useQuery({ ...trashedPhotosQuery(eventId, 1), enabled: canView })
  const isOpen = useMatchRoute()({ to: '/events/$eventId/trash', params: { eventId: String(eventId) } }) !== false
  if (!canView || (!isOpen && !data?.pagination.total)) return null
  return (
    <Link to="/events/$eventId/trash" params={{ eventId: String(eventId) }}>
      {tTrash('title')}
    </Link>
  )
}

function EventFacts({ event }: { event: Event }) {
  const typeLabel = useTypeLabels()
  const state = getEventState(event)
  return (
    <div className="event-facts">
      <Link to="/events">{t('all')}</Link>
      <StateBadge event={event} />
      <span dir="auto">{typeLabel(event.event_type)}</span>
      {event.event_date && <span>{formatDay(event.event_date)}</span>}
      <span>{formatPhotos(event)}</span>
      {state === 'live' && (
        <span>{event.expires_at ? t('openUntil', { date: formatDate(event.expires_at) }) : t('neverExpires')}</span>
      )}
      {state === 'expired' && event.expires_at && (
        <span>{t('closedSince', { date: formatDate(event.expires_at) })}</span>
      )}
      {event.keep_versions && (
        <Suspense>
          <ReviewLine event={event} />
        </Suspense>
      )}
    </div>
  )
}

function OpenRequests({ eventId }: { eventId: number }) {
  const { data: count = 0 } = useQuery({ ...threadCountQuery(eventId, {}), refetchInterval: 60_000 })
  return <WaitingCount count={count} label={tFeedback('waiting', { count })} />
}

function PendingComments({ eventId }: { eventId: number }) {
  const canView = useHasPermission()('photos.view')
  const query = { ...commentCountQuery(eventId, { status: 'pending' }), enabled: canView, refetchInterval: 60_000 }
  const { data: count = 0 } = useQuery(query)
  return <WaitingCount count={count} label={tFeedback('waiting', { count })} />
}

function UploadsToReview({ eventId }: { eventId: number }) {
  const canView = useHasPermission()('photos.view')
  const query = { ...photoCountQuery(eventId, { review: 'waiting' }), enabled: canView, refetchInterval: 60_000 }
  const { data: count = 0 } = useQuery(query)
  return <WaitingCount count={count} label={tFeedback('waiting', { count })} />
}

function SubmittedPicks({ eventId }: { eventId: number }) {
  const { data: count = 0 } = useQuery({ ...openSelectionsQuery(eventId), refetchInterval: 60_000 })
  return <WaitingCount count={count} label={tFeedback('waiting', { count })} />
}

/** A badge with the number of waiting items; nothing for 0. `label` has the number in words, for screen readers. */
const WaitingCount = ({ count, label }: { count: number; label: string }) =>
  count > 0 && (
    <span className="waiting-count">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="heard">{label}</span>
    </span>
  )
