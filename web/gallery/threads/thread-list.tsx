import './threads.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { GuestThread } from '../../../contract/gallery/threads.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Icon } from '../parts/icon.tsx'
import { focusOnMount } from '../parts/sheet.tsx'
import { readerLocale, t } from '../state/page.ts'
import {
  type Answer,
  getThreads,
  isMarking,
  loadEarlierAnswers,
  loadThreads,
  removeAnswer,
  removeMarking,
  settle,
} from './photo-threads.ts'
import { recordSeen } from './seen-answers.ts'
import { TextForm } from './text-form.tsx'
import { LoadTrouble, useLoaded } from './use-loaded.tsx'
import { versionHooks } from './version-hooks.ts'
import { createTextDraft, sendText, type WaitingText, waitingTexts } from './waiting-texts.ts'
import { watchThreads } from './watch-threads.ts'

type Props = {
  photoId: number | null
  /** Shows only this thread, with its form. */
  threadId?: number
  /** Shown if there is nothing else. */
  emptyText?: string
  offlineText: string
  /** Removes a comment or note of the guest. Can throw. Pins and boxes can always be removed. */
  remove?: (thread: GuestThread) => Promise<void>
  /** What was done last. */
  status: string
  onStatus: (status: string) => void
}

/** Loads the threads of a photo and keeps them current. */
export function ThreadList({ photoId, threadId, emptyText, offlineText, remove, status, onStatus }: Props) {
  const findThreads = () =>
    getThreads(photoId).value?.filter(({ id }) => threadId === undefined || id === threadId) ?? []
  const recordAll = () => recordSeen(findThreads())
  const { error, retry } = useLoaded(() => loadThreads(photoId).then(recordAll))
  useEffect(() => watchThreads(photoId), [photoId])
  // Later answers are seen when the guest closes the list, because nobody may be looking when they arrive.
  useEffect(() => recordAll, [photoId])
  const all = getThreads(photoId).value
  const threads = findThreads()
  const waiting = waitingTexts.value.filter((text) => text.photoId === photoId)
  const isWaiting = status === t('textWaiting')
  useEffect(() => {
    if (waiting.length === 0 && isWaiting) onStatus(t('answerSent'))
  }, [waiting.length])
  const newMarks = threadId === undefined ? waiting.filter((text) => text.threadId === null) : []
  const isEmpty = threads.length + newMarks.length === 0
  return (
    <>
      {all === null && error === null && <p class="quiet" aria-busy="true" />}
      {all !== null && isEmpty && emptyText && <p class="quiet">{emptyText}</p>}
      {!isEmpty && (
        // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore that a list without bullets is a list
        <ul class="comments" role="list">
          {threads.map((thread) => (
            <Thread
              key={thread.id}
              thread={thread}
              label={labelOf(thread)}
              waiting={waiting.filter((text) => text.threadId === thread.id)}
              isAlone={threadId !== undefined}
              remove={remove}
              onDone={onStatus}
            />
          ))}
          {newMarks.map((text) => (
            <WaitingItem key={text.id} text={text} />
          ))}
        </ul>
      )}
      {error !== null && <LoadTrouble error={error} offlineText={offlineText} onRetry={retry} />}
      {/* The text that waits says the same. */}
      <p class={isWaiting ? 'heard' : 'told'} role="status">
        {status}
      </p>
    </>
  )
}

function labelOf({ kind, photo_id, number }: GuestThread): string | null {
  if (kind === 'comment') return null
  if (kind === 'note') return photo_id === null ? null : t('noteKind')
  return t(kind === 'pin' ? 'markPin' : 'markBox', { number: number ?? 0 })
}

const times = new Intl.DateTimeFormat(readerLocale, { dateStyle: 'medium', timeStyle: 'short' })

type SaidProps = { name: string; at: string | number; text: string | null; note?: string | null | false }

const Said = ({ name, at, text, note, children }: SaidProps & { children?: ComponentChildren }) => (
  <>
    <p class="who">
      <bdi>{name}</bdi>
      <time dateTime={new Date(at).toISOString()}>{times.format(new Date(at))}</time>
      {children}
    </p>
    <p class={text === null ? 'pending' : 'words'} dir="auto">
      {text ?? t('textRemoved')}
    </p>
    {note && <p class="pending">{note}</p>}
  </>
)

const WaitingItem = ({ text: { body, at } }: { text: WaitingText }) => (
  <li>
    <Said name={t('you')} at={at} text={body.text} note={t('textWaiting')} />
  </li>
)

const removeKeys = {
  comment: ['commentRemove', 'commentRemoved'],
  note: ['noteRemove', 'noteRemoved'],
  pin: ['markRemove', 'markRemoved'],
  box: ['markRemove', 'markRemoved'],
} as const

type ThreadProps = {
  thread: GuestThread
  label: string | null
  waiting: readonly WaitingText[]
  isAlone: boolean
  remove: Props['remove']
  onDone: (status: string) => void
}

function Thread({ thread, label, waiting, isAlone, remove, onDone }: ThreadProps) {
  const { id, photo_id: photoId, kind, text, is_own: isOwn, guest_name: name, state, messages } = thread
  const [draft] = useState(() => createTextDraft({ photoId, threadId: id }))
  const [isAnswering, setAnswering] = useState(isAlone || draft.load() !== '')
  const isDone = state === 'done'
  const origin = versionHooks.value?.describeOrigin(thread)
  const removeOwn = isMarking(thread) ? removeMarking : remove
  return (
    <li id={`thread-${id}`} class="thread">
      <Said
        name={isOwn ? t('you') : (name ?? t('someGuest'))}
        at={thread.created_at}
        text={text}
        note={!thread.is_visible && t('commentPending')}
      >
        {label && !isAlone && <span class="thread-kind">{label}</span>}
        {origin && <span class="thread-kind">{origin}</span>}
        {isDone && (
          <span class="thread-done">
            <Icon name="check" />
            {t('threadDone')}
          </span>
        )}
      </Said>
      {messages.length + waiting.length > 0 && (
        // biome-ignore lint/a11y/noRedundantRoles: as above
        <ul class="comments answers" role="list" aria-label={t('answers')}>
          {thread.message_count > messages.length && (
            <li>
              <Action name={t('answersEarlier')} run={() => loadEarlierAnswers(thread)} />
            </li>
          )}
          {messages.map((answer) => (
            <li key={answer.id}>
              <Said
                name={authorOf(answer)}
                at={answer.created_at}
                text={answer.text}
                note={!answer.is_visible && t('answerPending')}
              />
              {answer.is_own && (
                <Remove
                  name={t('answerRemove')}
                  run={() => removeAnswer(thread, answer).then(() => onDone(t('answerRemoved')))}
                />
              )}
            </li>
          ))}
          {waiting.map((text) => (
            <WaitingItem key={text.id} text={text} />
          ))}
        </ul>
      )}
      {(isOwn || thread.can_answer) && (
        <div class="thread-actions">
          {thread.can_answer && !isAnswering && (
            <button type="button" class="link" onClick={() => setAnswering(true)}>
              {t('answer')}
            </button>
          )}
          {isOwn && (
            <Action
              name={t(isDone ? 'threadReopen' : 'threadSettle')}
              run={() => settle(thread, isDone ? 'open' : 'done')}
            />
          )}
          {removeOwn && isOwn && text !== null && (
            <Remove
              name={t(removeKeys[kind][0])}
              run={() => removeOwn(thread).then(() => onDone(t(removeKeys[kind][1])))}
            />
          )}
        </div>
      )}
      {thread.can_answer && isAnswering && (
        <TextForm
          label={t('answerWrite')}
          hint={kind === 'comment' ? '' : t('noteHint')}
          maxLength={maxNoteLength}
          draft={draft}
          isFocused={!isAlone}
          write={async (written) => {
            await sendText({ id: draft.getKey(written), photoId, threadId: id, body: { text: written } })
            draft.remove()
            if (!isAlone) setAnswering(false)
            const isWaiting = waitingTexts.peek().some(({ threadId }) => threadId === id)
            onDone(t(isWaiting ? 'textWaiting' : isDone ? 'answerSentOpen' : 'answerSent'))
          }}
        />
      )}
    </li>
  )
}

const authorOf = ({ is_own, by, author_name }: Answer): string =>
  is_own ? t('you') : (author_name ?? t(by === 'operator' ? 'photographer' : 'someGuest'))

type ActionProps = { name: string; run: () => Promise<unknown>; isAlarming?: boolean }

/** A button that shows why its action has failed. */
function Action({ name, run, isAlarming = false }: ActionProps) {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const start = () => {
    if (isBusy) return
    setBusy(true)
    setTrouble(null)
    run()
      .catch((error) => setTrouble(errorMessage(error)))
      .finally(() => setBusy(false))
  }
  return (
    <>
      {trouble && <span role="alert">{trouble}</span>}
      <button
        type="button"
        class={`link${isAlarming ? ' alarming' : ''}`}
        ref={isAlarming ? focusOnMount : null}
        aria-disabled={isBusy}
        onClick={start}
      >
        {name}
      </button>
    </>
  )
}

function Remove({ name, run }: ActionProps) {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking) {
    return (
      <button type="button" class="link" onClick={() => setAsking(true)}>
        {name}
      </button>
    )
  }
  return (
    <p class="asked">
      {t('reallyRemove')}
      <Action name={t('remove')} run={run} isAlarming />
      <button type="button" class="link" onClick={() => setAsking(false)}>
        {t('keep')}
      </button>
    </p>
  )
}
