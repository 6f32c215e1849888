import './welcome-page.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, Buttons, buttonClass } from '../components/button.tsx'
import { formatPhotos } from '../components/format-photos.ts'
import { Icon } from '../components/icon.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Empty, Page } from '../components/page.tsx'
import { EventActions, useEventAction } from '../events/actions/event-actions.tsx'
import { MainAction } from '../events/actions/main-action.tsx'
import { AnnotationsOffer } from '../events/annotations-offer.tsx'
import { NewEventForm } from '../events/create/new-event-form.tsx'
import { type Event, EventProvider } from '../events/event-context.tsx'
import { eventDefaultsQuery, eventQuery, eventsQuery } from '../events/event-queries.ts'
import { LinkAndPassword } from '../events/share/link-and-password.tsx'
import { previewPath } from '../events/share-urls.ts'
import { UploadPanel } from '../uploads/upload-panel.tsx'
import { useUploadChoice } from '../uploads/use-upload-choice.ts'
import { getWelcomeState } from './welcome-steps.ts'

const t = translator('dashboard')

export function WelcomePage() {
  const hasPermission = useHasPermission()
  // Not kept in the cache, because an old list may be out of date.
  const events = useQuery({ ...eventsQuery({ limit: 1 }), gcTime: 0 })
  return (
    <Page title={t('welcomeTitle')} isNarrow>
      {hasPermission('events.create') ? (
        <Loaded query={events}>{(events) => <FirstStart {...getWelcomeState(events)} />}</Loaded>
      ) : (
        <EventsNotice title={t('welcomeLook')} text={t('welcomeLookText')} />
      )}
    </Page>
  )
}

/** Ignores later changes of the state, so that the steps stay on the page until the user leaves. */
function FirstStart(start: ReturnType<typeof getWelcomeState>) {
  const [{ isComplete, eventId }] = useState(start)
  if (isComplete) return <EventsNotice title={t('welcomeOver')} text={t('welcomeOverText')} />
  return <Steps existingId={eventId} />
}

const EventsNotice = ({ title, text }: { title: string; text: string }) => (
  <Empty title={title} text={text}>
    <Link to="/events" className={buttonClass('primary')}>
      {t('welcomeToEvents')}
    </Link>
  </Empty>
)

/** `existingId` is the id of the only event, which no guest has seen yet; null if there is no event. */
function Steps({ existingId }: { existingId: number | null }) {
  const [createdId, setCreatedId] = useState<number | null>(null)
  const eventId = createdId ?? existingId
  const event = useQuery({ ...eventQuery(eventId ?? 0), enabled: eventId !== null })
  return (
    <EventActions>
      <p className="welcome-text">{t('welcomeText')}</p>
      <ol className="welcome-steps">
        {eventId === null ? (
          <>
            <Step number={1} title={t('welcomeCreate')} isCurrent>
              <FirstEvent onCreated={setCreatedId} />
            </Step>
            <Step number={2} title={t('welcomePhotos')} />
            <Step number={3} title={t('welcomeShare')} />
          </>
        ) : (
          <Loaded query={event}>{(event) => <EventSteps event={event} />}</Loaded>
        )}
      </ol>
    </EventActions>
  )
}

function FirstEvent({ onCreated }: { onCreated: (id: number) => void }) {
  const defaults = useQuery(eventDefaultsQuery)
  return (
    <Loaded query={defaults}>
      {(defaults) => <NewEventForm defaults={defaults} isShort onCreated={({ id }) => onCreated(id)} />}
    </Loaded>
  )
}

/** Step 2 always contains the upload panel, because uploads may continue during step 3. */
function EventSteps({ event }: { event: Event }) {
  const hasPhotos = event.photo_count > 0
  const eventId = String(event.id)
  return (
    <EventProvider event={event}>
      <Step number={1} title={t('welcomeCreate')} isDone>
        <p className="quiet-text" dir="auto">
          {event.event_name}
        </p>
      </Step>
      <Step number={2} title={t('welcomePhotos')} isCurrent={!hasPhotos} isDone={hasPhotos}>
        <p className="quiet-text">{hasPhotos ? t('welcomeCame', { photos: formatPhotos(event) }) : t('welcomeDrop')}</p>
        <FirstUpload key={event.id} />
      </Step>
      <Step number={3} title={t('welcomeShare')} isCurrent={hasPhotos}>
        {hasPhotos && (
          <>
            <p className="quiet-text">{event.is_draft ? t('welcomeDraft') : t('welcomeLink')}</p>
            {event.is_draft ? <MainAction event={event} /> : <LinkAndPassword event={event} />}
            <AnnotationsOffer event={event} />
            <PackageOffer event={event} />
            <div className="buttons">
              <a className={buttonClass()} href={previewPath(event)} target="_blank" rel="noopener">
                <Icon name="eye" />
                {t('welcomeLookIn')}
              </a>
              <Link className={buttonClass('primary')} to="/events/$eventId" params={{ eventId }}>
                {t('welcomeDone')}
              </Link>
            </div>
          </>
        )}
      </Step>
    </EventProvider>
  )
}

function PackageOffer({ event }: { event: Event }) {
  const runAction = useEventAction()
  return (
    <>
      <p className="quiet-text">{t('welcomePackage')}</p>
      <Buttons>
        <Button onClick={() => runAction('package', event)}>{t('package')}</Button>
      </Buttons>
    </>
  )
}

function FirstUpload() {
  const choice = useUploadChoice()
  return choice && <UploadPanel choice={choice} isFolded={false} />
}

type StepProps = { number: number; title: string; isCurrent?: boolean; isDone?: boolean; children?: ReactNode }

const Step = ({ number, title, isCurrent = false, isDone = false, children }: StepProps) => (
  <li className={`welcome-step${isCurrent ? ' now' : ''}`} {...(isCurrent && { 'aria-current': 'step' })}>
    <span className="welcome-number" aria-hidden="true">
      {isDone ? <Icon name="check" /> : number}
    </span>
    <div>
      <h2>
        {title}
        {isDone && <span className="heard">{t('welcomeStepDone')}</span>}
      </h2>
      {children}
    </div>
  </li>
)
