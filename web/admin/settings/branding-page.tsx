import './settings.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, Buttons } from '../components/button.tsx'
import { errorMessage, findFieldMessage } from '../components/error-messages.ts'
import { CheckField, Field, TextField } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { showNotice } from '../components/notices.tsx'
import { Card } from '../components/page.tsx'
import { useConfirmLeave } from '../components/use-confirm-leave.ts'
import { settingsQuery } from './settings-query.ts'

const t = translator('settings')

const brandingQuery = queryOptions({
  queryKey: ['settings', 'branding'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/branding', { signal })),
})

const fields = ['studio_name', 'logo', 'accent', 'imprint_url', 'privacy_url']

/** Sent as JSON, because a form cannot contain null. */
const removeLogoBody: Record<string, never> = { logo: null as never }

export function BrandingPage() {
  const query = useQuery(brandingQuery)
  return <Loaded query={query}>{(branding) => <BrandingForm branding={branding} />}</Loaded>
}

function BrandingForm({ branding }: { branding: Schemas['Branding'] }) {
  const queries = useQueryClient()
  const canEdit = useHasPermission()('settings.edit')
  const [isDirty, setDirty] = useState(false)
  const [saveCount, setSaveCount] = useState(0)
  const [hasAccent, setHasAccent] = useState(branding.accent !== null)
  const save = useMutation({
    mutationFn: (form: FormData) => unwrap(api.PUT('/api/admin/branding', { body: {}, bodySerializer: () => form })),
    onSuccess: async (saved) => {
      queries.setQueryData(brandingQuery.queryKey, saved)
      setDirty(false)
      setSaveCount((before) => before + 1)
      await queries.invalidateQueries({ queryKey: settingsQuery.queryKey, exact: true })
      showNotice(t('saved'))
    },
  })
  useConfirmLeave(isDirty)
  const removeLogo = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/admin/branding', { body: removeLogoBody })),
    onSuccess: (saved) => {
      queries.setQueryData(brandingQuery.queryKey, saved)
      showNotice(t('logoRemoved'))
    },
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const logo = form.get('logo')
    if (!(logo instanceof File) || logo.size === 0) form.delete('logo')
    if (!hasAccent) form.set('accent', '')
    form.delete('hasAccent')
    save.mutate(form)
  }
  const hasFieldErrors = fields.some((field) => findFieldMessage(save.error, field))
  return (
    <form className="stack" onSubmit={onSubmit} onChange={() => setDirty(true)}>
      <fieldset className="settings-all" disabled={!canEdit}>
        <Card title={t('group_studio')}>
          <TextField
            label={t('studioName')}
            help={t('studioNameHelp')}
            name="studio_name"
            maxLength={100}
            defaultValue={branding.studio_name}
            errorText={findFieldMessage(save.error, 'studio_name')}
          />
          {branding.logo && (
            <>
              <img
                className="settings-logo"
                src={`${branding.logo.url}?${branding.logo.size_bytes}`}
                alt={t('logoNow')}
                width={branding.logo.width}
                height={branding.logo.height}
              />
              <Buttons>
                <Button icon="trash" isBusy={removeLogo.isPending} onClick={() => removeLogo.mutate()}>
                  {t('removeLogo')}
                </Button>
              </Buttons>
            </>
          )}
          {/* The key empties the field after saving, so that the same file is not sent twice. */}
          <Field
            key={saveCount}
            label={t('logo')}
            help={t('logoHelp')}
            errorText={findFieldMessage(save.error, 'logo')}
          >
            {(control) => <input type="file" name="logo" accept="image/jpeg,image/png,image/webp" {...control} />}
          </Field>
        </Card>
        <Card title={t('group_colour')}>
          <CheckField
            label={t('ownAccent')}
            help={t('ownAccentHelp')}
            name="hasAccent"
            checked={hasAccent}
            onChange={({ target }) => setHasAccent(target.checked)}
          />
          {hasAccent && (
            <Field label={t('accent')} errorText={findFieldMessage(save.error, 'accent')}>
              {(control) => (
                <div className="settings-accent">
                  <input type="color" name="accent" defaultValue={branding.accent ?? '#7a5c3e'} {...control} />
                </div>
              )}
            </Field>
          )}
        </Card>
        <Card title={t('group_links')}>
          <TextField
            label={t('imprint')}
            name="imprint_url"
            type="url"
            maxLength={2048}
            placeholder="https://"
            defaultValue={branding.imprint_url ?? ''}
            errorText={findFieldMessage(save.error, 'imprint_url')}
          />
          <TextField
            label={t('privacy')}
            name="privacy_url"
            type="url"
            maxLength={2048}
            placeholder="https://"
            defaultValue={branding.privacy_url ?? ''}
            errorText={findFieldMessage(save.error, 'privacy_url')}
          />
        </Card>
      </fieldset>
      {save.isError && !hasFieldErrors && <p className="wrong">{errorMessage(save.error)}</p>}
      {canEdit && (
        <Buttons isAtEnd>
          {isDirty && <span className="quiet-text">{t('unsaved')}</span>}
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {t('save')}
          </Button>
        </Buttons>
      )}
    </form>
  )
}
