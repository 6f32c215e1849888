import './settings.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, type FormEvent, useRef, useState } from 'react'
import { api, must } from '../api/api.ts'
import { ApiError } from '../api/api-error.ts'
import { findMessage, translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { errorMessage, faultAt } from '../parts/error-messages.ts'
import { SelectField, SwitchField, TextArea, TextField } from '../parts/field.tsx'
import { showNotice } from '../parts/notices.tsx'
import { Card } from '../parts/page.tsx'
import { useAskBeforeLeaving } from '../parts/use-ask-before-leaving.ts'
import { plainEndings, unknownEndings } from './file-endings.ts'
import { changesIn, groupsOf, type SettingField, type SettingPage, type Settings } from './settings-fields.ts'
import { settingsQuery } from './settings-query.ts'

const t = translator('settings')

type Props = { page: SettingPage; settings: Settings }

export function SettingsForm({ page, settings }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [isDirty, setDirty] = useState(false)
  const queries = useQueryClient()
  const may = useMay()
  const groups = groupsOf(page)
  const changes = () =>
    form.current
      ? changesIn(
          new FormData(form.current),
          groups.flatMap(([, some]) => some),
          settings,
        )
      : {}
  const save = useMutation({
    mutationFn: (body: Partial<Settings>) => must(api.PUT('/api/admin/settings', { body })),
    onSuccess: (saved) => {
      queries.setQueryData(settingsQuery.queryKey, saved)
      setDirty(false)
      showNotice(t('saved'))
    },
    onError: (error) => {
      const hasFieldErrors = error instanceof ApiError && error.details.length > 0
      if (!hasFieldErrors) showNotice(errorMessage(error), { isAlarm: true })
    },
  })
  useAskBeforeLeaving(isDirty)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(changes())
  }
  const mayEdit = may('settings.edit')
  return (
    <form ref={form} className="stack" onSubmit={onSubmit} onInput={() => setDirty(Object.keys(changes()).length > 0)}>
      <fieldset className="settings-all" disabled={!mayEdit}>
        {groups.map(([group, fields]) => (
          <Card key={group} title={findMessage('settings', `group_${group}`) ?? group}>
            {fields.map((field) => (
              <SettingControl
                key={field.key}
                field={field}
                value={settings[field.key]}
                wrong={wrongOf(field, save.error, save.variables)}
              />
            ))}
          </Card>
        ))}
      </fieldset>
      {mayEdit && (
        <div className="settings-foot">
          <Buttons isAtEnd>
            {isDirty && <span className="quiet-text">{t('unsaved')}</span>}
            <Button type="submit" kind="primary" isBusy={save.isPending} disabled={!isDirty}>
              {t('save')}
            </Button>
          </Buttons>
        </div>
      )}
    </form>
  )
}

/** The response does not repeat rejected values, so the unknown extensions are found here. */
function wrongOf(field: SettingField, error: unknown, sent: Partial<Settings> = {}): string | null {
  const fault = faultAt(error, field.key)
  if (fault === null || field.kind !== 'text' || !field.isEndings) return fault
  const unknown = unknownEndings(String(sent[field.key] ?? ''))
  return unknown.length > 0 ? `${t('unknownEndings', { names: unknown.join(', ') })} ${fault}` : fault
}

type ControlProps = { field: SettingField; value: Settings[keyof Settings]; wrong: string | null }

function SettingControl({ field, value, wrong }: ControlProps) {
  const { key } = field
  const about = {
    name: key,
    label: findMessage('settings', `label_${key}`) ?? key,
    help: findMessage('settings', `help_${key}`),
  }
  if (field.kind === 'switch') return <SwitchField {...about} defaultChecked={value === true} />
  const filled = { ...about, wrong, defaultValue: value === null ? '' : String(value) }
  if (field.kind === 'number') {
    const { min, max, isOptional } = field
    return (
      <TextField {...filled} className="settings-number" type="number" min={min} max={max} required={!isOptional} />
    )
  }
  if (field.kind === 'choice') {
    return (
      <SelectField {...filled} className="settings-choice">
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {findMessage('settings', `choice_${choice}`) ?? choice}
          </option>
        ))}
      </SelectField>
    )
  }
  if (field.kind === 'link') return <TextField {...filled} type="url" maxLength={2048} />
  return field.isLong ? (
    <TextArea {...filled} rows={6} maxLength={field.maxLength} />
  ) : (
    <TextField {...filled} maxLength={field.maxLength} {...(field.isEndings && { onBlur: showPlain })} />
  )
}

function showPlain({ currentTarget: input }: FocusEvent<HTMLInputElement>): void {
  input.value = plainEndings(input.value)
}
