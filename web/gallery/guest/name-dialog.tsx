import { type Signal, useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { NamedGuestReply } from '../../../contract/gallery/guests.ts'
import { maxGuestNameLength } from '../../../contract/text-lengths.ts'
import { ApiError } from '../../shared/api-error.ts'
import { guestEmail, guestName } from '../marks/guest-name.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Field, handleSubmit, Trouble } from '../parts/field.tsx'
import { namePurpose } from '../parts/name-purpose.ts'
import { Sheet } from '../parts/sheet.tsx'
import { call } from '../state/api.ts'
import { canAnnotate, canComment, canWriteNotes, page, t } from '../state/page.ts'

type DialogProps = { isAsked?: boolean; onSaved?: () => void; onClose: () => void }

/** `isAsked`: the gallery asks for the name, which the guest may skip unless it is required. */
export function NameDialog({ isAsked = false, onSaved, onClose }: DialogProps) {
  const purpose = namePurpose.value
  const isRequired = (page.feedback.require_guest_name || purpose === 'decision') && !guestName.value
  const askedText = purpose === 'text' ? 'nameAskedText' : 'nameAsked'
  const requiredText = purpose === 'decision' ? 'versionName' : 'nameWanted'
  return (
    <Sheet title={t('yourName')} onClose={onClose}>
      <NameForm
        explanation={t(isRequired ? requiredText : isAsked ? askedText : 'nameUse')}
        saveLabel={t('save')}
        cancelLabel={t(isAsked && !isRequired ? 'skip' : 'cancel')}
        onSaved={() => {
          onSaved?.()
          onClose()
        }}
        onCancel={onClose}
      />
    </Sheet>
  )
}

type FormProps = {
  explanation: string
  saveLabel: string
  cancelLabel?: string
  onSaved: () => void
  onCancel: () => void
}

export function NameForm({ explanation, saveLabel, cancelLabel = t('cancel'), onSaved, onCancel }: FormProps) {
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
    <form class="form" noValidate onSubmit={handleSubmit(save)}>
      <p>{explanation}</p>
      <NameFields {...{ name, email, trouble }} first={{ 'data-first': true }} />
      {trouble.all && <Trouble>{trouble.all}</Trouble>}
      <div class="row end">
        <button type="button" class="button" onClick={onCancel}>
          {cancelLabel}
        </button>
        <button type="submit" class="button primary">
          {saveLabel}
        </button>
      </div>
    </form>
  )
}

const canWriteTexts = canComment || canWriteNotes || canAnnotate || page.feedback.keep_versions

type FieldsProps = {
  name: Signal<string>
  email: Signal<string>
  trouble: { name?: string; email?: string }
  /** Properties of the field for the name: whether the dialog begins there. */
  first: { 'data-first'?: true }
  isOptional?: boolean
}

export function NameFields({ name, email, trouble, first, isOptional = false }: FieldsProps) {
  return (
    <>
      <Field label={t(isOptional ? 'nameOptional' : 'name')} trouble={trouble.name}>
        {(described) => (
          <input
            {...described}
            {...first}
            name="name"
            autocomplete="name"
            dir="auto"
            maxLength={maxGuestNameLength}
            value={name.value}
            aria-required={!isOptional}
            aria-invalid={trouble.name !== undefined}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value
            }}
          />
        )}
      </Field>
      <Field
        label={t('emailOptional')}
        hint={t(canWriteTexts ? 'emailForAnswers' : 'emailUse')}
        trouble={trouble.email}
      >
        {(described) => (
          <input
            {...described}
            name="email"
            type="email"
            autocomplete="email"
            maxLength={254}
            value={email.value}
            aria-invalid={trouble.email !== undefined}
            onInput={({ currentTarget }) => {
              email.value = currentTarget.value
            }}
          />
        )}
      </Field>
    </>
  )
}
