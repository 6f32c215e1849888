import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { NamedGuestReply } from '../../../contract/guests.ts'
import { guestEmail, guestName } from '../marks/guest-name.ts'
import { wordsFor } from '../parts/refusal-words.ts'
import { Sheet } from '../parts/sheet.tsx'
import { call, Refused } from '../state/api.ts'
import { page, say } from '../state/page.ts'
import { NameFields } from './name-fields.tsx'

type Props = {
  /** With whether a name has been given. */
  onDone: (isThere: boolean) => void
}

/** Asks who a guest is, or lets a guest change it. */
export function NameDialog({ onDone }: Props) {
  const name = useSignal(guestName.peek() ?? '')
  const email = useSignal(guestEmail.peek() ?? '')
  const [trouble, setTrouble] = useState<{ name?: string; email?: string; all?: string }>({})
  const [isSending, setSending] = useState(false)

  async function save(): Promise<void> {
    if (isSending) return
    if (name.value.trim() === '') return setTrouble({ name: say('nameMissing') })
    setSending(true)
    setTrouble({})
    try {
      const body = { name: name.value.trim(), email: email.value.trim() }
      const { guest } = await call<typeof NamedGuestReply>('/guest', { body })
      guestName.value = guest.name
      guestEmail.value = guest.email
      onDone(true)
    } catch (error) {
      const isEmail = error instanceof Refused && error.code === 'VALIDATION_ERROR' && email.value.trim() !== ''
      setTrouble(isEmail ? { email: say('emailWrong') } : { all: wordsFor(error) })
      setSending(false)
    }
  }

  return (
    <Sheet title={say('yourName')} onClose={() => onDone(false)}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p>{page.feedback.require_guest_name && !guestName.value ? say('nameWanted') : say('nameUse')}</p>
        <NameFields {...{ name, email, trouble }} isFirst />
        {trouble.all && (
          <p class="trouble" role="alert">
            {trouble.all}
          </p>
        )}
        <div class="row end">
          <button type="button" class="button" onClick={() => onDone(false)}>
            {say('cancel')}
          </button>
          <button type="submit" class="button primary">
            {say('save')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

/** As the menu opens it. */
export const YourName = ({ onClose }: { onClose: () => void }) => <NameDialog onDone={onClose} />
