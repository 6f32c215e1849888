import { useState } from 'preact/hooks'
import { ensureGuestName, guestName } from '../marks/guest-name.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Field } from '../parts/field.tsx'
import { ApiError, Unreachable } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import { charactersLeft, isNearLimit, isSendable } from './comment-rules.ts'
import { loadDraft, saveDraft } from './draft.ts'
import type { PhotoComments } from './photo-comments.ts'

type Props = { photoId: number; photoComments: PhotoComments; onSent: (id: number | null) => Promise<void> }

/** The draft stays stored until the comment is sent. */
export function CommentForm({ photoId, photoComments, onSent }: Props) {
  const [text, setText] = useState(() => loadDraft(photoId))
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const change = (now: string) => {
    saveDraft(photoId, now)
    setText(now)
  }

  async function send(): Promise<void> {
    if (isSending || !isSendable(text) || !(await ensureGuestName())) return
    setSending(true)
    setTrouble(null)
    try {
      const id = await photoComments.write(text.trim())
      setText('')
      await onSent(id)
    } catch (error) {
      const isNameMissing = error instanceof ApiError && error.code === 'VALIDATION_ERROR' && !guestName.peek()
      if (isNameMissing && (await ensureGuestName(true))) return send()
      setTrouble(error instanceof Unreachable ? t('commentKept') : errorMessage(error))
    }
    setSending(false)
  }

  const left = charactersLeft(text)
  return (
    <form
      class="sheet-foot write"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field label={t('commentWrite')} hint={audienceHint()} trouble={trouble}>
        {(described) => (
          <textarea
            {...described}
            rows={2}
            dir="auto"
            value={text}
            aria-invalid={left < 0}
            enterkeyhint="enter"
            onInput={({ currentTarget }) => change(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
            }}
          />
        )}
      </Field>
      <p class="row">
        <span class={`left${left < 0 ? ' trouble' : ''}`} role="status">
          {isNearLimit(text) &&
            (left < 0 ? t('charactersTooMany', { count: -left }) : t('charactersLeft', { count: left }))}
        </span>
        <button type="submit" class="button primary" aria-disabled={isSending || !isSendable(text)}>
          {t('commentSend')}
        </button>
      </p>
    </form>
  )
}

function audienceHint(): string {
  if (!page.feedback.show_feedback_to_guests) return t('commentPrivate')
  return page.feedback.moderate_comments ? t('commentModerated') : ''
}
