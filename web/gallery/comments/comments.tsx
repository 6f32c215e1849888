import './comments.css'
import { useMemo, useState } from 'preact/hooks'
import type { GuestComment } from '../../../contract/feedback.ts'
import { maxCommentLength } from '../../../contract/text-lengths.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { focusOnMount, Sheet } from '../parts/sheet.tsx'
import { canComment, canWriteNotes, page, readerLocale, t } from '../state/page.ts'
import { storeDraft, storedDraft } from '../state/stored-draft.ts'
import { isNoteContinued } from './comment-rules.ts'
import { NoteForm, NoteList } from './notes.tsx'
import { createPhotoComments, type PhotoComments } from './photo-comments.ts'
import { createPhotoNotes, type PhotoNotes } from './photo-notes.ts'
import { TextForm } from './text-form.tsx'
import { LoadTrouble, useLoaded } from './use-loaded.tsx'

export function Comments({ photoId, onClose }: { photoId: number; onClose: () => void }) {
  const photoComments = useMemo(() => createPhotoComments(photoId), [photoId])
  const notes = useMemo(() => (canWriteNotes ? createPhotoNotes(photoId) : null), [photoId])
  const [isNote, setNote] = useState(() => beginsWithNote(photoComments, notes))
  const [statusText, setStatusText] = useState('')
  const changeKind = (isNow: boolean) => {
    storeDraft(kindStorageKey(photoId), isNow ? 'note' : 'comment')
    setNote(isNow)
  }
  const { error, setError, retry } = useLoaded(() => Promise.all([photoComments.loadMore(), notes?.load()]))

  async function show(id: number | null): Promise<void> {
    await photoComments.loadAll().then(() => setError(null), setError)
    const isPublic = photoComments.comments.value?.find((comment) => comment.id === id)?.is_visible ?? true
    setStatusText(t(isPublic ? 'commentSent' : 'commentSentPending'))
    document.getElementById(`comment-${id}`)?.scrollIntoView({ block: 'center' })
  }

  return (
    <Sheet title={t('comments')} onClose={onClose}>
      {(error === null || photoComments.comments.value !== null) && (
        <CommentList photoComments={photoComments} onRemoved={() => setStatusText(t('commentRemoved'))} />
      )}
      {error !== null && <LoadTrouble error={error} offlineText={t('commentsUnloaded')} onRetry={retry} />}
      {error === null && photoComments.hasMore.value && (
        <button type="button" class="link more-comments" onClick={retry}>
          {t('showMore')}
        </button>
      )}
      <p class="told" role="status">
        {statusText}
      </p>
      {notes && <NoteList notes={notes} onRemoved={() => setStatusText(t('noteRemoved'))} />}
      {canComment && (
        <div class="sheet-foot">
          {notes && <KindChoice isNote={isNote} onChange={changeKind} />}
          {notes && isNote ? (
            <NoteForm notes={notes} onSent={() => setStatusText(t('noteSent'))} />
          ) : (
            <TextForm
              label={t('commentWrite')}
              hint={audienceHint()}
              maxLength={maxCommentLength}
              unsentText={t('commentKept')}
              draft={photoComments.draft}
              write={async (text) => show(await photoComments.write(text))}
            />
          )}
        </div>
      )}
    </Sheet>
  )
}

const kindStorageKey = (photoId: number): string => `note or comment ${page.slug} ${photoId}`

const beginsWithNote = ({ draft, photoId }: PhotoComments, notes: PhotoNotes | null): boolean =>
  notes !== null &&
  isNoteContinued({
    comment: draft.load(),
    note: notes.draft.load(),
    chosen: storedDraft(kindStorageKey(photoId)),
  })

function CommentList({ photoComments, onRemoved }: { photoComments: PhotoComments; onRemoved: () => void }) {
  const comments = photoComments.comments.value
  if (comments === null) return <p class="quiet" aria-busy="true" />
  if (comments.length === 0) return <p class="quiet">{t('commentNone')}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore that a list without bullets is a list
    <ul class="comments" role="list">
      {comments.map((comment) => (
        <Comment key={comment.id} comment={comment} photoComments={photoComments} onRemoved={onRemoved} />
      ))}
    </ul>
  )
}

const times = new Intl.DateTimeFormat(readerLocale, { dateStyle: 'medium', timeStyle: 'short' })

type CommentProps = { comment: GuestComment; photoComments: PhotoComments; onRemoved: () => void }

function Comment({ comment, photoComments, onRemoved }: CommentProps) {
  const { comment_text: text, guest_name: name, is_own: isOwn, is_visible: isVisible, created_at: at } = comment
  return (
    <li id={`comment-${comment.id}`}>
      <p class="who">
        <bdi>{isOwn ? t('you') : (name ?? t('someGuest'))}</bdi>
        <time dateTime={at}>{times.format(new Date(at))}</time>
      </p>
      <p class="words" dir="auto">
        {text}
      </p>
      {!isVisible && <p class="pending">{t('commentPending')}</p>}
      {isOwn && page.viewer.kind === 'guest' && <RemoveComment id={comment.id} {...{ photoComments, onRemoved }} />}
    </li>
  )
}

function RemoveComment({ id, photoComments, onRemoved }: { id: number } & Omit<CommentProps, 'comment'>) {
  const [state, setState] = useState<'idle' | 'asking' | 'removing'>('idle')
  const [trouble, setTrouble] = useState<string | null>(null)
  async function remove(): Promise<void> {
    setState('removing')
    setTrouble(null)
    try {
      await photoComments.remove(id)
      onRemoved()
    } catch (error) {
      setState('asking')
      setTrouble(errorMessage(error))
    }
  }
  if (state === 'idle') {
    return (
      <button type="button" class="link" onClick={() => setState('asking')}>
        {t('commentRemove')}
      </button>
    )
  }
  return (
    <p class="asked">
      {trouble ? <span role="alert">{trouble}</span> : t('commentReallyRemove')}
      <button type="button" class="link alarming" ref={focusOnMount} disabled={state === 'removing'} onClick={remove}>
        {t('remove')}
      </button>
      <button type="button" class="link" onClick={() => setState('idle')}>
        {t('keep')}
      </button>
    </p>
  )
}

function KindChoice({ isNote, onChange }: { isNote: boolean; onChange: (isNote: boolean) => void }) {
  return (
    <fieldset class="kinds">
      <legend class="heard">{t('noteOrComment')}</legend>
      {[false, true].map((value) => (
        <label key={String(value)}>
          <input type="radio" name="kind" checked={value === isNote} onChange={() => onChange(value)} />
          {t(value ? 'noteKind' : 'commentKind')}
        </label>
      ))}
    </fieldset>
  )
}

function audienceHint(): string {
  if (!page.feedback.show_feedback_to_guests) return t('commentPrivate')
  return page.feedback.moderate_comments ? t('commentModerated') : ''
}
