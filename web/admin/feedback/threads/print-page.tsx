import './print.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { formatTime } from '../../components/format-time.ts'
import { Icon } from '../../components/icon.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { eventQuery } from '../../events/event-queries.ts'
import { listPictureMarks } from '../../photos/viewer/picture-marks.tsx'
import { type GuestNames, useGuestNames } from '../guest-names.ts'
import { MarkedPicture } from './marked-picture.tsx'
import { hasUnnamedGuest, nameOfAuthor } from './thread-names.ts'
import { allThreadsQuery, groupByPhoto, parseTodoSearch, type Thread, type TodoSearch } from './threads-query.ts'

const t = translator('threads')
const route = getRouteApi('/signed-in/events/$eventId/todo/print')

/** The To do list on paper, without the navigation of the app. */
export function PrintPage() {
  const { eventId } = route.useParams()
  const { page: _, ...search } = parseTodoSearch(route.useSearch())
  const query = useQuery(eventQuery(Number(eventId)))
  return (
    <main className="sheet">
      <Loaded query={query}>{(event) => <Sheet eventId={event.id} name={event.event_name} search={search} />}</Loaded>
    </main>
  )
}

function Sheet({ eventId, name, search }: { eventId: number; name: string; search: TodoSearch }) {
  const query = useQuery(allThreadsQuery(eventId, search))
  const names = useGuestNames(eventId, query.data?.some(hasUnnamedGuest) ?? false)
  const sheet = useRef<HTMLDivElement>(null)
  const [isWaiting, setWaiting] = useState(false)
  const print = async () => {
    setWaiting(true)
    const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])]
    await Promise.allSettled(pictures.map((picture) => picture.decode()))
    setWaiting(false)
    window.print()
  }
  return (
    <Page
      title={t('printTitle', { event: name })}
      breadcrumb={
        <Link to="/events/$eventId/todo" params={{ eventId: String(eventId) }} search={search}>
          {t('backToList')}
        </Link>
      }
      actions={
        <Button kind="primary" icon="print" isBusy={isWaiting} onClick={print}>
          {t('print')}
        </Button>
      }
    >
      <Loaded query={query}>
        {(threads) => (
          <div className="sheet-photos" ref={sheet}>
            <div>
              <p>
                {t(search.state ? 'printedDone' : 'printedOpen', { count: threads.length, time: formatTime(now()) })}
              </p>
              <p>{t('printedFilter', { filters: nameFilters(search) })}</p>
            </div>
            {groupByPhoto(threads).map(([photoId, group]) => (
              <PrintedPhoto key={photoId} eventId={eventId} photoId={photoId} threads={group} names={names} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const nameFilters = ({ state, kind, photo }: TodoSearch): string =>
  [t(state ?? 'open'), kind && t(`kinds_${kind}`), photo && t('onePhoto')].filter(Boolean).join(' · ')

const now = (): string => new Date().toISOString()

type PhotoProps = { eventId: number; photoId: number | null; threads: readonly Thread[]; names: GuestNames }

function PrintedPhoto({ eventId, photoId, threads, names }: PhotoProps) {
  const marks = listPictureMarks(threads)
  return (
    <section className="sheet-photo">
      <div className="sheet-picture">
        <h2>
          <bdi>{threads[0]?.source_filename ?? t('wholeGallery')}</bdi>
        </h2>
        {photoId !== null && <MarkedPicture eventId={eventId} photoId={photoId} marks={marks} width={1280} />}
      </div>
      <ul className="sheet-threads">
        {threads.map((thread) => (
          <li key={thread.id}>
            <span className="sheet-tick">{thread.state === 'done' && <Icon name="check" />}</span>
            <div>
              <p className="sheet-head">
                {marks
                  .filter((mark) => mark.thread.id === thread.id)
                  .map(({ number }) => (
                    <span key={number} className="mark-number">
                      {number}
                    </span>
                  ))}
                <strong>
                  <bdi>{thread.guest_name ?? names.of(thread.guest_id)}</bdi>
                </strong>
                <span>
                  {t(`kind_${thread.kind}`)}, {formatTime(thread.created_at)}
                </span>
              </p>
              <p className="sheet-text" dir="auto">
                {thread.text ?? t('deleted')}
              </p>
              {thread.messages.map((message) => (
                <p key={message.id} className="sheet-text sheet-answer" dir="auto">
                  <strong>{nameOfAuthor(message, names)}:</strong> {message.text}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
