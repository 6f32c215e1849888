import './settings.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { pickColorNames } from '../../../contract/color-labels.ts'
import { nameLanguage } from '../../../locales/name-language.ts'
import { ApiError } from '../../shared/api-error.ts'
import { api, unwrap } from '../api/api.ts'
import { adminAppData } from '../app/admin-app-data.ts'
import { findMessage, translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { settingsQuery } from '../app/query-client.ts'
import { Buttons, SubmitButton } from '../components/button.tsx'
import { useConfirmLeave } from '../components/confirm.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { SelectField, SwitchField, TextArea, TextField } from '../components/field.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { Card } from '../components/page.tsx'
import { FileTypesField } from './file-types-field.tsx'
import { diffSettings, listGroups, type SettingField, type SettingPage, type Settings } from './settings-fields.ts'

const t = translator('settings')

export function SettingsForm({ page, settings }: { page: SettingPage; settings: Settings }) {
  const form = useRef<HTMLFormElement>(null)
  const [isDirty, setDirty] = useState(false)
  const queries = useQueryClient()
  const hasPermission = useHasPermission()
  const groups = listGroups(page)
  const changes = () =>
    form.current
      ? diffSettings(
          new FormData(form.current),
          groups.flatMap(([, groupFields]) => groupFields),
          settings,
        )
      : {}
  const save = useMutation({
    mutationFn: (body: Partial<Settings>) => unwrap(api.PUT('/api/admin/settings', { body })),
    onSuccess: (saved) => {
      queries.setQueryData(settingsQuery.queryKey, saved)
      adminAppData.colorNames = pickColorNames(saved)
      setDirty(false)
      showNotice(t('saved'))
    },
    onError: (error) => {
      const hasFieldErrors = error instanceof ApiError && error.details.length > 0
      if (!hasFieldErrors) showError(error)
    },
  })
  useConfirmLeave(isDirty)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(changes())
  }
  const canEdit = hasPermission('settings.edit')
  return (
    <form ref={form} className="stack" onSubmit={onSubmit} onInput={() => setDirty(Object.keys(changes()).length > 0)}>
      <fieldset className="settings-all" disabled={!canEdit}>
        {groups.map(([group, fields]) => (
          <Card key={group} title={findMessage('settings', `group_${group}`) ?? group}>
            {fields.map((field) => (
              <SettingControl
                key={field.key}
                field={field}
                value={settings[field.key]}
                errorText={findFieldMessage(save.error, field.key)}
              />
            ))}
          </Card>
        ))}
      </fieldset>
      {canEdit && (
        <div className="settings-foot">
          <Buttons isAtEnd>
            {isDirty && <span className="quiet-text">{t('unsaved')}</span>}
            <SubmitButton isBusy={save.isPending} disabled={!isDirty}>
              {t('save')}
            </SubmitButton>
          </Buttons>
        </div>
      )}
    </form>
  )
}

type ControlProps = { field: SettingField; value: Settings[keyof Settings]; errorText: string | null }

function SettingControl({ field, value, errorText }: ControlProps) {
  const { key } = field
  const baseProps = {
    name: key,
    label: findMessage('settings', `label_${key}`) ?? key,
    help: findMessage('settings', `help_${key}`),
  }
  if (field.kind === 'switch') return <SwitchField {...baseProps} defaultChecked={value === true} />
  if (field.kind === 'file_types')
    return <FileTypesField name={key} value={String(value)} isInvalid={errorText !== null} />
  const inputProps = { ...baseProps, errorText, defaultValue: value === null ? '' : String(value) }
  if (field.kind === 'number') {
    const { min, max, isOptional } = field
    return (
      <TextField {...inputProps} className="settings-number" type="number" min={min} max={max} required={!isOptional} />
    )
  }
  if (field.kind === 'choice') {
    return (
      <SelectField {...inputProps} className="settings-choice">
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {field.key === 'general_default_language'
              ? nameLanguage(choice)
              : findMessage('settings', `choice_${choice}`)}
          </option>
        ))}
      </SelectField>
    )
  }
  if (field.kind === 'link') return <TextField {...inputProps} type="url" maxLength={2048} />
  return field.isMultiline ? (
    <TextArea {...inputProps} rows={6} maxLength={field.maxLength} />
  ) : (
    <TextField {...inputProps} maxLength={field.maxLength} />
  )
}
