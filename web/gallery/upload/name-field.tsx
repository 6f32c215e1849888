import { signal } from '@preact/signals'
import { maxGuestNameLength } from '../../../contract/text-lengths.ts'
import { Field } from '../parts/field.tsx'
import { t } from '../state/page.ts'

export const typedName = signal('')

export function NameField() {
  return (
    <Field label={t('nameOptional')} hint={t('uploadNameUse')}>
      {(described) => (
        <input
          {...described}
          name="name"
          autocomplete="name"
          dir="auto"
          maxLength={maxGuestNameLength}
          value={typedName.value}
          onInput={({ currentTarget }) => {
            typedName.value = currentTarget.value
          }}
        />
      )}
    </Field>
  )
}
