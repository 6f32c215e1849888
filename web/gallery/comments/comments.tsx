import './comments.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { GuestComment } from '../../../contract/feedback.ts'
import { getReaderLocale } from '../../shared/reader-locale.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Sheet } from '../parts/sheet.tsx'
import { canComment, page, t } from '../state/page.ts'
import { CommentForm } from './comment-form.tsx'
import { createPhotoComments, type PhotoComments } from './photo-comments.ts'

export function Comments({ photoId, onClose }: { photoId: number; onClose: () => void }) {
  const photoComments = useMemo(() => createPhotoComments(photoId), [photoId])
  const [trouble, setTrouble] = useState<string | null>(null)
  const [statusText, setStatusText] = useState('')
  const load = () => {
    setTrouble(null)
    return photoComments.loadMore().catch((error) => setTrouble(errorMessage(error)))
  }
  useEffect(() => void load(), [photoComments])

  async function show(id: number | null): Promise<void> {
    await photoComments.loadAll().catch((error) => setTrouble(errorMessage(error)))
    const isPublic = photoComments.comments.value?.find((comment) => comment.id === id)?.is_visible ?? true
    setStatusText(t(isPublic ? 'commentSent' : 'commentSentPending'))
    document.getElementById(`comment-${id}`)?.scrollIntoView({ block: 'center' })
  }

  return (
    <Sheet title={t('comments')} onClose={onClose}>
      <CommentList photoComments={photoComments} onRemoved={() => setStatusText(t('commentRemoved'))} />
      {trouble !== null && (
        <p class="trouble" role="alert">
          {trouble}{' '}
          <button type="button" class="link" onClick={load}>
            {t('tryAgain')}
          </button>
        </p>
      )}
      {trouble === null && photoComments.hasMore.value && (
        <button type="button" class="link more-comments" onClick={load}>
          {t('showMore')}
        </button>
      )}
      <p class="told" role="status">
        {statusText}
      </p>
      {canComment && <CommentForm photoId={photoId} photoComments={photoComments} onSent={show} />}
    </Sheet>
  )
}

function CommentList({ photoComments, onRemoved }: { photoComments: PhotoComments; onRemoved: () => void }) {
  const comments = photoComments.comments.value
  if (comments === null) return <p class="quiet" aria-busy="true" />
  if (comments.length === 0) return <p class="quiet">{t('commentNone')}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without bullets is none to some screen readers
    <ul class="comments" role="list">
      {comments.map((comment) => (
        <Comment key={comment.id} comment={comment} photoComments={photoComments} onRemoved={onRemoved} />
      ))}
    </ul>
  )
}

const times = new Intl.DateTimeFormat(getReaderLocale(page.locale, navigator.languages), {
  dateStyle: 'medium',
  timeStyle: 'short',
})

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

const focusOnMount = (element: HTMLElement | null) => element?.focus()
