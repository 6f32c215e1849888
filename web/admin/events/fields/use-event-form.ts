import { type FormEvent, useEffect, useRef, useState } from 'react'
import { translator } from '../../app/language.ts'
import { reportBadInput } from '../../components/field.tsx'
import type { EventDraft, SwitchKey, TextFieldKey } from './event-draft.ts'
import { findFieldError, rejectedPaths } from './field-errors.ts'

const t = translator('events')

type TextEvent = { target: { value: string } }
type CheckEvent = { target: { checked: boolean } }

export type EventForm = ReturnType<typeof useEventForm>

export function useEventForm(first: EventDraft, error: unknown, { isNew = false } = {}) {
  const [draft, setDraft] = useState(first)
  const set = <Key extends keyof EventDraft>(key: Key, value: EventDraft[Key]): void =>
    setDraft((before) => ({ ...before, [key]: value }))
  // If other fields are invalid too, the API may report only those fields and not the missing password.
  const lacksPassword = isNew && Boolean(error) && draft.require_password && draft.password === ''
  const rejection = (path: string): string | null =>
    path === 'password' && lacksPassword ? t('wrongPassword') : findFieldError(error, path)
  const [rejected, setRejected] = useState({ error, draft })
  if (rejected.error !== error) setRejected({ error, draft })
  const isChanged = (path: string): boolean =>
    path in draft && draft[path as keyof EventDraft] !== rejected.draft[path as keyof EventDraft]
  /** A field that was changed since has no error until the next attempt. */
  const errorText = (path: string): string | null => (isChanged(path) ? null : rejection(path))
  return {
    draft,
    set,
    setDraft,
    errorText,
    hasFieldErrors: rejectedPaths(error).some((path) => rejection(path) !== null),
    text: (key: TextFieldKey) => ({
      name: key,
      value: draft[key],
      errorText: errorText(key),
      onChange: ({ target }: TextEvent) => set(key, target.value),
    }),
    flag: (key: SwitchKey) => ({
      name: key,
      checked: draft[key],
      onChange: ({ target }: CheckEvent) => set(key, target.checked),
    }),
  }
}

/** Returns the props of the form element. After an error, the focus moves to the first invalid field. */
export function useEventSubmit(error: unknown, submit: () => void) {
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) focusInvalidField(ref.current)
  }, [error])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!reportBadInput(ref.current)) submit()
  }
  return { ref, noValidate: true, onSubmit }
}

/** Focuses the first invalid field, and opens the collapsed section that contains it. */
function focusInvalidField(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const details = field?.closest('details')
  if (details) details.open = true
  field?.focus()
}
