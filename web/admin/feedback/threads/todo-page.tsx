import './todo.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { threadKinds } from '../../../../contract/gallery/thread-kinds.ts'
import { language, translator } from '../../app/language.ts'
import { Button, buttonClass, IconButton } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { formatNumber } from '../../components/format-time.ts'
import { Icon } from '../../components/icon.tsx'
import { InlineChoice } from '../../components/inline-choice.tsx'
import { KeysDialog } from '../../components/keys-dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showError } from '../../components/notices.tsx'
import { Empty } from '../../components/page.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { AnnotationsOffer } from '../../events/annotations-offer.tsx'
import { type Event, useEvent } from '../../events/event-context.tsx'
import { startDownload } from '../../photos/actions/download-photos.ts'
import { listPictureMarks } from '../../photos/viewer/picture-marks.tsx'
import { type GuestNames, useGuestNames } from '../guest-names.ts'
import { LiveLine } from '../live/live-line.tsx'
import { throttle, useLive, useRecentIds } from '../live/use-live.ts'
import { EmptyWithLink } from '../no-feedback.tsx'
import { invalidateFeedback } from '../picks-query.ts'
import { MarkedPicture } from './marked-picture.tsx'
import { ThreadCard } from './thread-card.tsx'
import { hasUnnamedGuest } from './thread-names.ts'
import {
  groupByPhoto,
  parseTodoSearch,
  type Thread,
  type TodoSearch,
  threadCountQuery,
  threadsQuery,
  toThreadsQuery,
} from './threads-query.ts'
import { useThreadKeys } from './use-thread-keys.ts'

/** In the same file of the build, because it shares most of its modules with this page. */
export { PrintPage } from './print-page.tsx'

const t = translator('threads')
const route = getRouteApi('/inside/events/$eventId/todo')

const keys = [
  ['keyNext', 'keyNextText'],
  ['keyPrevious', 'keyPreviousText'],
  ['keyAnswer', 'keyAnswerText'],
  ['keySend', 'keySendText'],
  ['keySendDone', 'keySendDoneText'],
  ['keySettle', 'keySettleText'],
  ['keyHelp', 'keyHelpText'],
] as const

export function TodoPage() {
  const event = useEvent()
  const search = parseTodoSearch(route.useSearch())
  const navigate = route.useNavigate()
  const query = useQuery({ ...threadsQuery(event.id, search), placeholderData: (before) => before })
  const names = useGuestNames(event.id, query.data?.threads.some(hasUnnamedGuest) ?? false)
  const recentIds = useRecentThreads(event.id)
  const [isHelpShown, showHelp] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  useThreadKeys(() => showHelp(true))
  const changeSearch = (next: TodoSearch) =>
    navigate({ search: next, replace: true, resetScroll: next.page !== search.page })
  return (
    <div className="todo">
      {!event.is_archived && <LiveLine eventId={event.id} />}
      <div className="todo-head">
        <TodoFilter eventId={event.id} search={search} onSearch={changeSearch} />
        <TodoTools event={event} search={search} onHelp={() => showHelp(true)} />
      </div>
      <Loaded query={query}>
        {({ threads, pagination }) =>
          threads.length === 0 ? (
            <NoThreads event={event} search={search} onSearch={changeSearch} />
          ) : (
            <>
              <div className="todo-list" ref={list} tabIndex={-1}>
                {groupByPhoto(threads).map(([photoId, group]) => (
                  <ThreadsOfPhoto
                    key={photoId}
                    eventId={event.id}
                    photoId={photoId}
                    threads={group}
                    names={names}
                    recentIds={recentIds}
                    onFocusLost={() => list.current?.focus()}
                  />
                ))}
              </div>
              <Pagination {...pagination} onPage={(page) => changeSearch({ ...search, page })} />
            </>
          )
        }
      </Loaded>
      {isHelpShown && (
        <KeysDialog
          title={t('keys')}
          description={t('keysText')}
          keys={keys.map(([key, text]) => [t(key), t(text)])}
          onClose={() => showHelp(false)}
        />
      )}
    </div>
  )
}

/** The ids of new and answered threads, and of new comments. */
function useRecentThreads(eventId: number): ReadonlySet<number> {
  const { recentIds, addRecentIds } = useRecentIds()
  const refreshSoon = useMemo(() => throttle(() => invalidateFeedback(eventId)), [eventId])
  useLive(eventId, ({ feedback, threads, hasNewName, needsReload }) => {
    const comments = feedback.filter(({ feedback_type }) => feedback_type === 'comment')
    if (comments.length + threads.length === 0 && !hasNewName && !needsReload) return
    refreshSoon()
    addRecentIds(threads.filter(({ did }) => did === 'created' || did === 'answered').map(({ thread_id }) => thread_id))
  })
  return recentIds
}

type FilterProps = { eventId: number; search: TodoSearch; onSearch: (search: TodoSearch) => void }

function TodoFilter({ eventId, search, onSearch }: FilterProps) {
  const { state, kind, photo } = search
  /** The first page with another filter; undefined removes one. */
  const withFilter = (next: Record<string, unknown>) => parseTodoSearch({ ...search, page: undefined, ...next })
  return (
    <div className="todo-filter">
      <fieldset className="chips">
        <legend className="heard">{t('filter')}</legend>
        {([undefined, 'done'] as const).map((one) => {
          const filters = withFilter({ state: one })
          return (
            <Chip key={one ?? 'open'} isOn={state === one} onClick={() => onSearch(filters)}>
              {t(one ?? 'open')}
              <ThreadCount eventId={eventId} search={filters} />
            </Chip>
          )
        })}
        {photo && (
          <button type="button" className="chip" onClick={() => onSearch(withFilter({ photo: undefined }))}>
            {t('onePhoto')}
            <Icon name="close" />
          </button>
        )}
      </fieldset>
      <InlineChoice label={t('kind')} value={kind ?? ''} onChange={(text) => onSearch(withFilter({ kind: text }))}>
        <option value="">{t('allKinds')}</option>
        {threadKinds.map((one) => (
          <option key={one} value={one}>
            {t(`kinds_${one}`)}
          </option>
        ))}
      </InlineChoice>
    </div>
  )
}

function ThreadCount({ eventId, search }: { eventId: number; search: TodoSearch }) {
  const { data: count } = useQuery({ ...threadCountQuery(eventId, search), placeholderData: (before) => before })
  return count !== undefined && <span className="chip-count">{formatNumber(count)}</span>
}

function TodoTools({ event, search, onHelp }: { event: Event; search: TodoSearch; onHelp: () => void }) {
  const { page: _, ...filters } = search
  const saveTable = () => {
    const query = Object.entries({ ...toThreadsQuery(filters), format: 'csv', headers: language })
    const parameters = new URLSearchParams(query.map(([name, value]) => [name, String(value)]))
    startDownload(event.id, `/api/admin/events/${event.id}/threads?${parameters}`).catch(showError)
  }
  return (
    <div className="todo-tools">
      <Link
        to="/events/$eventId/todo/print"
        params={{ eventId: String(event.id) }}
        search={filters}
        className={buttonClass()}
        preload={false}
      >
        <Icon name="print" />
        {t('print')}
      </Link>
      <Button icon="download" onClick={saveTable}>
        {t('table')}
      </Button>
      <IconButton className="todo-keys" icon="keyboard" label={t('keys')} onClick={onHelp} />
    </div>
  )
}

type GroupProps = {
  eventId: number
  photoId: number | null
  threads: readonly Thread[]
  names: GuestNames
  recentIds: ReadonlySet<number>
  onFocusLost: () => void
}

function ThreadsOfPhoto({ eventId, photoId, threads, names, recentIds, onFocusLost }: GroupProps) {
  const marks = listPictureMarks(threads)
  const name = threads[0]?.source_filename ?? t('wholeGallery')
  const link = { to: '/events/$eventId', params: { eventId: String(eventId) }, preload: false } as const
  return (
    <section className="todo-photo" aria-label={name}>
      {photoId !== null && (
        <Link {...link} search={{ photo: photoId }} className="todo-picture" tabIndex={-1} aria-hidden="true">
          <MarkedPicture eventId={eventId} photoId={photoId} marks={marks} width={640} isLazy />
        </Link>
      )}
      <div className="todo-threads">
        <h2>
          {photoId === null ? (
            name
          ) : (
            <Link {...link} search={{ photo: photoId }}>
              <bdi>{name}</bdi>
            </Link>
          )}
        </h2>
        {threads[0]?.photo_visibility === 'hidden' && <p className="quiet-text">{t('photoHidden')}</p>}
        <ul className="thread-list">
          {threads.map((thread) => (
            <ThreadCard
              key={thread.id}
              thread={thread}
              number={marks.find((mark) => mark.thread.id === thread.id)?.number}
              names={names}
              isRecent={recentIds.has(thread.id)}
              onFocusLost={onFocusLost}
            />
          ))}
        </ul>
      </div>
    </section>
  )
}

function NoThreads({ event, search, onSearch }: Omit<FilterProps, 'eventId'> & { event: Event }) {
  const { data: doneCount = 0 } = useQuery(threadCountQuery(event.id, { state: 'done' }))
  if (search.kind || search.photo || search.page) {
    return (
      <Empty title={t('noneSuch')}>
        <Button onClick={() => onSearch({})}>{t('showAll')}</Button>
      </Empty>
    )
  }
  if (search.state) return <Empty title={t('noneDone')} text={t('noneDoneText')} />
  if (doneCount > 0) return <Empty title={t('allDone')} text={t('allDoneText')} />
  const canWrite = event.feedback_enabled && (event.allow_comments || event.allow_notes || event.allow_annotations)
  const what = canWrite
    ? ({ title: t('none'), text: t('noneText'), to: 'share' } as const)
    : ({ title: t('off'), text: t('offText'), to: 'settings' } as const)
  return (
    <EmptyWithLink event={event} {...what}>
      <AnnotationsOffer event={event} />
    </EmptyWithLink>
  )
}
