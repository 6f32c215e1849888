import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { NamedGuestReply } from '../../../contract/gallery/guests.ts'
import { guestEmail, guestName } from '../marks/guest-name.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { ApiError, call } from '../state/api.ts'
import { t } from '../state/page.ts'
import { NameFields } from './name-fields.tsx'

type Props = {
  explanation: string
  saveLabel: string
  onSaved: () => void
  onCancel: () => void
}

export function NameForm({ explanation, saveLabel, onSaved, onCancel }: Props) {
  const name = useSignal(guestName.peek() ?? '')
  const email = useSignal(guestEmail.peek() ?? '')
  const [trouble, setTrouble] = useState<{ name?: string; email?: string; all?: string }>({})
  const [isSending, setSending] = useState(false)

  async function save(): Promise<void> {
    if (isSending) return
    if (name.value.trim() === '') return setTrouble({ name: t('nameMissing') })
    setSending(true)
    setTrouble({})
    try {
      const body = { name: name.value.trim(), email: email.value.trim() }
      const { guest } = await call<typeof NamedGuestReply>('/guest', { body })
      guestName.value = guest.name
      guestEmail.value = guest.email
      onSaved()
    } catch (error) {
      const isEmail = error instanceof ApiError && error.paths.includes('email')
      setTrouble(isEmail ? { email: t('emailWrong') } : { all: errorMessage(error) })
      setSending(false)
    }
  }

  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p>{explanation}</p>
      <NameFields {...{ name, email, trouble }} isFirst />
      {trouble.all && (
        <p class="trouble" role="alert">
          {trouble.all}
        </p>
      )}
      <div class="row end">
        <button type="button" class="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        <button type="submit" class="button primary">
          {saveLabel}
        </button>
      </div>
    </form>
  )
}
