import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { maxNoteLength } from '../../../../contract/text-lengths.ts'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { invalidateThreads, type Thread } from './threads-query.ts'

const t = translator('threads')

type Props = { thread: Thread; guest: string; onSettle: (() => void) | null; onClose: () => void }

/** Escape closes the form, Ctrl or Command with Enter sends the answer. With Shift, the request is also done. */
export function AnswerForm({ thread: { id, event_id }, guest, onSettle, onClose }: Props) {
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: (_: { isSettled: boolean }) =>
      unwrap(
        api.POST('/api/admin/events/{event_id}/threads/{thread_id}/messages', {
          params: { path: { event_id, thread_id: id } },
          body: { text },
        }),
      ),
    onSuccess: async (_, { isSettled }) => {
      onClose()
      if (isSettled) return onSettle?.()
      showNotice(t('answered', { guest }))
      await invalidateThreads(event_id)
    },
    onError: showError,
  })
  const submit = (isSettled: boolean) => text.trim() !== '' && !send.isPending && send.mutate({ isSettled })
  const onKeyDown = (event: KeyboardEvent) => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isSend && event.key !== 'Escape') return
    event.preventDefault()
    if (isSend) submit(event.shiftKey && onSettle !== null)
    else onClose()
  }
  return (
    <form
      className="thread-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit(false)
      }}
    >
      <textarea
        aria-label={t('answerOf', { guest })}
        rows={3}
        maxLength={maxNoteLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the form
        autoFocus
      />
      <Buttons>
        <Button type="submit" kind="primary" isBusy={send.isPending}>
          {t('send')}
        </Button>
        {onSettle && (
          <Button isBusy={send.isPending} onClick={() => submit(true)}>
            {t('sendAndSettle')}
          </Button>
        )}
        <Button kind="quiet" onClick={onClose}>
          {t('cancel')}
        </Button>
      </Buttons>
    </form>
  )
}
