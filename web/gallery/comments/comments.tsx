import './comments.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { GuestComment } from '../../../contract/feedback.ts'
import { readerLocale } from '../../shared/reader-locale.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Sheet } from '../parts/sheet.tsx'
import { mayComment, page, t } from '../state/page.ts'
import { CommentForm } from './comment-form.tsx'
import { type CommentsOfPhoto, commentsOf } from './comments-of-photo.ts'

export function Comments({ photoId, onClose }: { photoId: number; onClose: () => void }) {
  const written = useMemo(() => commentsOf(photoId), [photoId])
  const [trouble, setTrouble] = useState<string | null>(null)
  const [told, setStatusText] = useState('')
  const load = () => {
    setTrouble(null)
    return written.loadMore().catch((error) => setTrouble(errorMessage(error)))
  }
  useEffect(() => void load(), [written])

  async function show(id: number | null): Promise<void> {
    await written.loadAll().catch((error) => setTrouble(errorMessage(error)))
    const isSeen = written.comments.value?.find((comment) => comment.id === id)?.is_visible ?? true
    setStatusText(t(isSeen ? 'commentSent' : 'commentSentPending'))
    document.getElementById(`comment-${id}`)?.scrollIntoView({ block: 'center' })
  }

  return (
    <Sheet title={t('comments')} onClose={onClose}>
      <CommentList written={written} onRemoved={() => setStatusText(t('commentRemoved'))} />
      {trouble !== null && (
        <p class="trouble" role="alert">
          {trouble}{' '}
          <button type="button" class="link" onClick={load}>
            {t('tryAgain')}
          </button>
        </p>
      )}
      {trouble === null && written.hasMore.value && (
        <button type="button" class="link more-comments" onClick={load}>
          {t('showMore')}
        </button>
      )}
      <p class="told" role="status">
        {told}
      </p>
      {mayComment && <CommentForm photoId={photoId} written={written} onSent={show} />}
    </Sheet>
  )
}

function CommentList({ written, onRemoved }: { written: CommentsOfPhoto; onRemoved: () => void }) {
  const comments = written.comments.value
  if (comments === null) return <p class="quiet" aria-busy="true" />
  if (comments.length === 0) return <p class="quiet">{t('commentNone')}</p>
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without bullets is none to some screen readers
    <ul class="comments" role="list">
      {comments.map((comment) => (
        <Comment key={comment.id} comment={comment} written={written} onRemoved={onRemoved} />
      ))}
    </ul>
  )
}

const times = new Intl.DateTimeFormat(readerLocale(page.locale, navigator.languages), {
  dateStyle: 'medium',
  timeStyle: 'short',
})

type Shown = { comment: GuestComment; written: CommentsOfPhoto; onRemoved: () => void }

function Comment({ comment, written, onRemoved }: Shown) {
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
      {isOwn && page.viewer.kind === 'guest' && <RemoveComment id={comment.id} {...{ written, onRemoved }} />}
    </li>
  )
}

function RemoveComment({ id, written, onRemoved }: { id: number } & Omit<Shown, 'comment'>) {
  const [state, setState] = useState<'idle' | 'asking' | 'removing'>('idle')
  const [trouble, setTrouble] = useState<string | null>(null)
  async function remove(): Promise<void> {
    setState('removing')
    setTrouble(null)
    try {
      await written.remove(id)
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
      <button type="button" class="link alarming" ref={focused} disabled={state === 'removing'} onClick={remove}>
        {t('remove')}
      </button>
      <button type="button" class="link" onClick={() => setState('idle')}>
        {t('keep')}
      </button>
    </p>
  )
}

const focused = (element: HTMLElement | null) => element?.focus()
