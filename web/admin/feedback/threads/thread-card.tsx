import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { formatRelativeTime, formatTime } from '../../components/format-time.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import { Badge } from '../../components/page.tsx'
import { useCanChange } from '../../events/event-context.tsx'
import type { GuestNames } from '../guest-names.ts'
import { AnswerForm } from './answer-form.tsx'
import { nameOfAuthor } from './thread-names.ts'
import { invalidateThreads, type Thread, threadQuery } from './threads-query.ts'
import { answerClass, findNeighbor, settleClass, threadClass } from './use-thread-keys.ts'

const t = translator('threads')

type Props = {
  thread: Thread
  number: number | undefined
  names: GuestNames
  isRecent: boolean
  onFocusLost: () => void
}

export function ThreadCard({ thread, number, names, isRecent, onFocusLost }: Props) {
  const { kind, text, created_at, status, feedback_id: commentId } = thread
  const canEdit = useCanChange('photos.edit')
  const card = useRef<HTMLLIElement>(null)
  const [isAnswering, setAnswering] = useState(false)
  const guest = thread.guest_name ?? names.of(thread.guest_id)
  const isDone = thread.state === 'done'
  const settle = useSettle(thread, guest)
  const settleAndGoOn = () => {
    const next = findNeighbor(card.current)
    if (next) next.focus()
    else onFocusLost()
    settle.mutate(isDone ? 'open' : 'done')
  }
  return (
    <li
      className={`${threadClass}${isRecent ? ' fresh' : ''}`}
      ref={card}
      tabIndex={-1}
      aria-label={t('threadOf', { guest })}
    >
      <p className="thread-head">
        {number !== undefined && <span className="mark-number">{number}</span>}
        <strong>
          <bdi>{guest}</bdi>
        </strong>
        <Badge>{t(`kind_${kind}`)}</Badge>
        {isDone ? <Badge tone="good">{t('done')}</Badge> : <Turn thread={thread} names={names} />}
        <time dateTime={created_at} title={formatTime(created_at)} className="quiet-text">
          {formatRelativeTime(created_at)}
        </time>
        {thread.guest_email && <bdi className="quiet-text">{thread.guest_email}</bdi>}
      </p>
      {text === null ? (
        <p className="quiet-text">{t('deleted')}</p>
      ) : (
        <p className="thread-text" dir="auto">
          {text}
        </p>
      )}
      {commentId !== null && status !== 'approved' && (
        <Visibility thread={thread} isVisible={false} path={{ feedback_id: commentId }} />
      )}
      <Answers thread={thread} names={names} />
      {canEdit && isAnswering && (
        <AnswerForm
          thread={thread}
          guest={guest}
          onSettle={isDone ? null : settleAndGoOn}
          onClose={() => {
            setAnswering(false)
            card.current?.focus()
          }}
        />
      )}
      {canEdit && !isAnswering && (
        <Buttons>
          <Button
            className={answerClass}
            icon="comment"
            onClick={() => setAnswering(true)}
            aria-label={t('answerOf', { guest })}
          >
            {t('answer')}
          </Button>
          <Button
            className={settleClass}
            kind="quiet"
            icon={isDone ? 'refresh' : 'check'}
            isBusy={settle.isPending}
            onClick={settleAndGoOn}
            aria-label={t(isDone ? 'reopenOf' : 'settleOf', { guest })}
          >
            {t(isDone ? 'reopen' : 'settle')}
          </Button>
        </Buttons>
      )}
    </li>
  )
}

/** Says that the studio is to answer. */
function Turn({ thread: { messages }, names }: Pick<Props, 'thread' | 'names'>) {
  const last = messages.at(-1)
  if (!messages.some(({ by }) => by === 'operator')) return <Badge tone="warn">{t('isNew')}</Badge>
  return last?.by === 'guest' && <Badge tone="warn">{t('answeredBy', { guest: nameOfAuthor(last, names) })}</Badge>
}

function useSettle({ id, event_id }: Thread, guest: string) {
  const put = (state: 'open' | 'done') =>
    unwrap(
      api.PUT('/api/admin/events/{event_id}/threads/{thread_id}/state', {
        params: { path: { event_id, thread_id: id } },
        body: { state },
      }),
    ).then(() => invalidateThreads(event_id))
  return useMutation({
    mutationFn: put,
    onSuccess: (_, state) => {
      const undo = () => void put(state === 'done' ? 'open' : 'done').catch(showError)
      showNotice(t(state === 'done' ? 'settled' : 'reopened', { guest }), { undo, about: `thread ${id}` })
    },
    onError: showError,
  })
}

function Answers({ thread, names }: { thread: Thread; names: GuestNames }) {
  const [isWhole, setWhole] = useState(false)
  const { data } = useQuery({ ...threadQuery(thread.event_id, thread.id), enabled: isWhole })
  const messages = data?.messages ?? thread.messages
  if (messages.length === 0) return null
  return (
    <>
      {thread.message_count > messages.length && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {t('allAnswers', { count: thread.message_count })}
        </Button>
      )}
      <ul className="thread-answers">
        {messages.map((message) => (
          <li key={message.id}>
            <p className="thread-head">
              <strong>
                <bdi>{nameOfAuthor(message, names)}</bdi>
              </strong>
              {message.by === 'operator' && <Badge>{t('studio')}</Badge>}
              <time dateTime={message.created_at} title={formatTime(message.created_at)} className="quiet-text">
                {formatRelativeTime(message.created_at)}
              </time>
            </p>
            <p className="thread-text" dir="auto">
              {message.text}
            </p>
            {thread.kind === 'comment' && message.by === 'guest' && (
              <Visibility thread={thread} isVisible={message.is_visible} path={{ message_id: message.id }} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

type VisibilityProps = {
  thread: Thread
  isVisible: boolean
  /** The comment, or an answer in its thread. */
  path: { feedback_id: number } | { message_id: number }
}

/** Shows the text of a guest to other guests, or hides it from them. */
function Visibility({ thread: { id, event_id }, isVisible, path }: VisibilityProps) {
  const canEdit = useCanChange('photos.edit')
  const verb = isVisible ? 'hide' : 'approve'
  const change = useMutation({
    mutationFn: async () => {
      if ('feedback_id' in path)
        await unwrap(api.PUT(`/api/admin/feedback/{feedback_id}/${verb}`, { params: { path } }))
      else {
        const params = { path: { event_id, thread_id: id, ...path } }
        await unwrap(
          api.PUT(`/api/admin/events/{event_id}/threads/{thread_id}/messages/{message_id}/${verb}`, { params }),
        )
      }
    },
    onSuccess: () => invalidateThreads(event_id),
    onError: showError,
  })
  return (
    <div className="thread-visibility">
      {!isVisible && <Badge tone="warn">{t('isHidden')}</Badge>}
      {canEdit && (
        <Button
          kind={isVisible ? 'quiet' : 'plain'}
          icon={isVisible ? 'hidden' : 'eye'}
          isBusy={change.isPending}
          onClick={() => change.mutate()}
        >
          {t(verb)}
        </Button>
      )}
    </div>
  )
}
