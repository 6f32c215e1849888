import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { formatRelativeTime, formatTime } from '../../components/format-time.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import { Badge } from '../../components/page.tsx'
import { useCanChange } from '../../events/event-context.tsx'
import type { GuestNames } from '../guest-names.ts'
import { invalidateOtherParts, invalidatePart } from '../picks-query.ts'
import type { Comment } from './comments-query.ts'

const t = translator('feedback')
const tones = { pending: 'warn', approved: 'good', hidden: 'plain' } as const
const doneMessages = { approve: 'approved', hide: 'hid', delete: 'deleted' } as const

type Props = {
  comment: Comment
  names: GuestNames
  isRecent: boolean
  onFilterByPhoto: () => void
  onFocusLost: () => void
}

export function CommentCard({ comment, names, isRecent, onFilterByPhoto, onFocusLost }: Props) {
  const { event_id: eventId, photo_id, original_filename, status, created_at } = comment
  const canEdit = useCanChange('photos.edit')
  const card = useRef<HTMLLIElement>(null)
  const guest = comment.guest_name ?? names.of(comment.guest_id)
  return (
    <li className={`comment${isRecent ? ' fresh' : ''}`} ref={card}>
      <button
        type="button"
        className="comment-photo"
        onClick={onFilterByPhoto}
        aria-label={t('onlyPhoto', { photo: original_filename })}
      >
        <img src={`/api/admin/photos/${eventId}/thumbnail/${photo_id}`} alt="" loading="lazy" decoding="async" />
      </button>
      <div className="comment-words">
        <p className="comment-head">
          <strong>
            <bdi>{guest}</bdi>
          </strong>
          {comment.guest_email && <bdi className="quiet-text">{comment.guest_email}</bdi>}
          <time dateTime={created_at} title={formatTime(created_at)} className="quiet-text">
            {formatRelativeTime(created_at)}
          </time>
          <Badge tone={tones[status]}>{t(`status_${status}`)}</Badge>
        </p>
        <p className="comment-text" dir="auto">
          {comment.comment_text}
        </p>
        <Link
          className="comment-name"
          to="/events/$eventId"
          params={{ eventId: String(eventId) }}
          search={{ photo: photo_id }}
          preload={false}
        >
          <bdi>{original_filename}</bdi>
        </Link>
      </div>
      {canEdit && <Moderation comment={comment} guest={guest} card={card} onFocusLost={onFocusLost} />}
    </li>
  )
}

type ModerationProps = {
  comment: Comment
  guest: string
  card: React.RefObject<HTMLLIElement | null>
  onFocusLost: () => void
}

function Moderation({ comment, guest, card, onFocusLost }: ModerationProps) {
  const { id, event_id: eventId, original_filename: photo, status } = comment
  const moderate = useMutation({
    mutationFn: async (action: 'approve' | 'hide' | 'delete') => {
      const params = { path: { feedback_id: id } }
      if (action === 'delete') await unwrap(api.DELETE('/api/admin/feedback/{feedback_id}', { params }))
      else await unwrap(api.PUT(`/api/admin/feedback/{feedback_id}/${action}`, { params }))
    },
    onSuccess: async (_, action) => {
      const neighbor = card.current?.nextElementSibling ?? card.current?.previousElementSibling
      showNotice(t(doneMessages[action], { guest }))
      // Waits only for the list, which the next action needs. The counts are refreshed later.
      await invalidatePart(eventId, 'comments')
      void invalidateOtherParts(eventId, 'comments')
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const next = neighbor?.querySelector('button')
        if (next?.isConnected) next.focus()
        else onFocusLost()
      })
    },
    onError: showError,
  })
  const remove = async () => {
    const question = { title: t('deleteTitle', { guest }), text: t('deleteText', { guest, photo }) }
    if (await confirm({ ...question, action: t('deleteAction') })) moderate.mutate('delete')
  }
  const isBusy = moderate.isPending
  return (
    <Buttons>
      {status !== 'approved' && (
        <Button
          icon="check"
          isBusy={isBusy}
          onClick={() => moderate.mutate('approve')}
          aria-label={t(status === 'pending' ? 'approveOf' : 'showHiddenOf', { guest })}
        >
          {t(status === 'pending' ? 'approve' : 'showHidden')}
        </Button>
      )}
      {status !== 'hidden' && (
        <Button
          kind="quiet"
          icon="hidden"
          isBusy={isBusy}
          onClick={() => moderate.mutate('hide')}
          aria-label={t('hideOf', { guest })}
        >
          {t('hide')}
        </Button>
      )}
      <Button kind="quiet" icon="trash" isBusy={isBusy} onClick={remove} aria-label={t('deleteOf', { guest })}>
        {t('delete')}
      </Button>
    </Buttons>
  )
}
