import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { formatRelativeTime, formatTime } from '../../components/format-time.ts'
import { showError } from '../../components/notices.tsx'
import { Badge, Card } from '../../components/page.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { useCanChange } from '../../events/event-context.tsx'
import { useGuestNames } from '../guest-names.ts'
import { invalidateFeedback } from '../picks-query.ts'
import { type GuestNote, notesQuery } from './notes-query.ts'

const t = translator('feedback')

/** The private notes of guests. Not shown while there are none. */
export function NotesCard({ eventId }: { eventId: number }) {
  const [isDoneShown, setDoneShown] = useState(false)
  const [page, setPage] = useState(1)
  const open = useQuery({ ...notesQuery(eventId, 'open', isDoneShown ? 1 : page), placeholderData: (before) => before })
  const done = useQuery({ ...notesQuery(eventId, 'done', isDoneShown ? page : 1), placeholderData: (before) => before })
  const shown = isDoneShown ? done.data : open.data
  const names = useGuestNames(eventId, shown?.notes.some(({ guest_name }) => guest_name === null) ?? false)
  if (!open.data || !done.data || !shown) return null
  const openCount = open.data.pagination.total
  if (openCount + done.data.pagination.total === 0) return null
  const toggle = () => {
    setPage(1)
    setDoneShown(!isDoneShown)
  }
  return (
    <Card
      title={t('notes')}
      actions={
        <>
          {openCount > 0 && <Badge tone="warn">{t('openNotes', { count: openCount })}</Badge>}
          {(isDoneShown || done.data.pagination.total > 0) && (
            <Button kind="quiet" onClick={toggle}>
              {t(isDoneShown ? 'hideDoneNotes' : 'showDoneNotes')}
            </Button>
          )}
        </>
      }
    >
      <p className="quiet-text">{t('notesText')}</p>
      {shown.notes.length === 0 ? (
        <p className="quiet-text">{t('noOpenNotes')}</p>
      ) : (
        <ul className="comment-list" aria-label={t('notes')}>
          {shown.notes.map((note) => (
            <Note key={note.id} note={note} guest={note.guest_name ?? names.of(note.guest_id)} />
          ))}
        </ul>
      )}
      <Pagination page={shown.pagination.page} pages={shown.pagination.pages} onPage={setPage} />
    </Card>
  )
}

function Note({ note, guest }: { note: GuestNote; guest: string }) {
  const { id, event_id: eventId, photo_id: photoId, status } = note
  const canEdit = useCanChange('photos.edit')
  const isDone = status === 'done'
  const mark = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT(`/api/admin/feedback/notes/{note_id}/${isDone ? 'open' : 'done'}`, {
          params: { path: { note_id: id } },
        }),
      ),
    onSuccess: () => invalidateFeedback(eventId),
    onError: showError,
  })
  return (
    <li className="comment">
      {photoId === null ? (
        <span className="quiet-text">{t('wholeGallery')}</span>
      ) : (
        <Link
          className="comment-photo"
          to="/events/$eventId"
          params={{ eventId: String(eventId) }}
          search={{ photo: photoId }}
          preload={false}
          aria-label={note.original_filename ?? undefined}
        >
          <img src={`/api/admin/photos/${eventId}/thumbnail/${photoId}`} alt="" loading="lazy" decoding="async" />
        </Link>
      )}
      <div className="comment-words">
        <p className="comment-head">
          <strong>
            <bdi>{guest}</bdi>
          </strong>
          {note.guest_email && <bdi className="quiet-text">{note.guest_email}</bdi>}
          <time dateTime={note.created_at} title={formatTime(note.created_at)} className="quiet-text">
            {formatRelativeTime(note.created_at)}
          </time>
          {isDone && <Badge tone="good">{t('noteIsDone')}</Badge>}
        </p>
        <p className="comment-text" dir="auto">
          {note.text}
        </p>
        {note.original_filename && <bdi className="quiet-text">{note.original_filename}</bdi>}
      </div>
      {canEdit && (
        <Buttons>
          <Button
            icon={isDone ? 'refresh' : 'check'}
            isBusy={mark.isPending}
            onClick={() => mark.mutate()}
            aria-label={t(isDone ? 'noteReopenOf' : 'noteDoneOf', { guest })}
          >
            {t(isDone ? 'noteReopen' : 'noteDone')}
          </Button>
        </Buttons>
      )}
    </li>
  )
}
