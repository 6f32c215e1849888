import type { Signal } from '@preact/signals'
import { maxGuestNameLength } from '../../../contract/text-lengths.ts'
import { Field } from '../parts/field.tsx'
import { t } from '../state/page.ts'

type Props = {
  name: Signal<string>
  email: Signal<string>
  trouble: { name?: string; email?: string }
  isFirst?: boolean
  isOptional?: boolean
}

export function NameFields({ name, email, trouble, isFirst = false, isOptional = false }: Props) {
  return (
    <>
      <Field label={t(isOptional ? 'nameOptional' : 'name')} trouble={trouble.name ?? null}>
        {(described) => (
          <input
            {...described}
            {...(isFirst && { 'data-first': true })}
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
      <Field label={t('emailOptional')} trouble={trouble.email ?? null}>
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
