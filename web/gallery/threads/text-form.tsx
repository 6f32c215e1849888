import { useState } from 'preact/hooks'
import { ApiError, Unreachable } from '../../shared/api-error.ts'
import { ensureGuestName, guestName } from '../marks/guest-name.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Field, handleSubmit } from '../parts/field.tsx'
import { namePurpose } from '../parts/name-purpose.ts'
import { focusOnMount, typedFirst } from '../parts/sheet.tsx'
import { t } from '../state/page.ts'
import type { Draft } from './text-draft.ts'
import { charactersLeft, isNearLimit, isSendable } from './text-rules.ts'

export type TextFormProps = {
  label: string
  hint: string
  maxLength: number
  /** Says that the text is kept without a connection. */
  unsentText?: string
  draft: Draft
  /** Throws ApiError or Unreachable. */
  write: (text: string) => Promise<void>
  /** Whether the form can be sent without a text. */
  isOptional?: boolean
  /** Whether the form opens on request, and the guest writes at once. */
  isFocused?: boolean
}

/** Like `ensureGuestName`. */
async function askName(isRequired?: boolean): Promise<boolean> {
  namePurpose.value = 'text'
  const hasName = await ensureGuestName(isRequired)
  namePurpose.value = 'picks'
  return hasName
}

/** The draft stays stored until the text is sent. */
export function TextForm(props: TextFormProps) {
  const { label, hint, maxLength, unsentText, draft, write, isOptional = false, isFocused = false } = props
  const [text, setText] = useState(draft.load)
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const change = (now: string) => {
    draft.save(now)
    setText(now)
  }

  const canSend = isSendable(text, maxLength) || (isOptional && text.trim() === '')

  async function send(): Promise<void> {
    if (isSending || !canSend || !(await askName())) return
    setSending(true)
    setTrouble(null)
    try {
      await write(text.trim())
      setText('')
    } catch (error) {
      const isNameMissing = error instanceof ApiError && error.code === 'VALIDATION_ERROR' && !guestName.peek()
      if (isNameMissing && (await askName(true))) return send()
      setTrouble((error instanceof Unreachable && unsentText) || errorMessage(error))
    }
    setSending(false)
  }

  const left = charactersLeft(text, maxLength)
  return (
    <form class="write" onSubmit={handleSubmit(send)}>
      <Field label={label} hint={hint} trouble={trouble}>
        {(described) => (
          <textarea
            {...described}
            {...typedFirst()}
            ref={isFocused ? focusOnMount : null}
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
          {isNearLimit(text, maxLength) &&
            (left < 0 ? t('charactersTooMany', { count: -left }) : t('charactersLeft', { count: left }))}
        </span>
        <button type="submit" class="button primary" aria-disabled={isSending || !canSend}>
          {t('commentSend')}
        </button>
      </p>
    </form>
  )
}
