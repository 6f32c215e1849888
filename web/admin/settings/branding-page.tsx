import './settings.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { settingsQuery } from '../app/query-client.ts'
import { Button, Buttons, SubmitButton } from '../components/button.tsx'
import { useConfirmLeave } from '../components/confirm.tsx'
import { errorMessage, findFieldMessage } from '../components/error-messages.ts'
import { CheckField, Field, handleSubmit, TextField } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { Card } from '../components/page.tsx'

const t = translator('settings')

const brandingQuery = queryOptions({
  queryKey: ['settings', 'branding'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/branding', { signal })),
})

const fields = ['studio_name', 'logo', 'accent', 'contact_email', 'imprint_url', 'privacy_url']

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
  const onSubmit = handleSubmit((form) => {
    const logo = form.get('logo')
    if (!(logo instanceof File) || logo.size === 0) form.delete('logo')
    if (!form.has('hasAccent')) form.set('accent', '')
    form.delete('hasAccent')
    save.mutate(form)
  })
  const errorText = (field: string) => findFieldMessage(save.error, field)
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
            errorText={errorText('studio_name')}
          />
          {/* A new key empties the field after saving, so that the same file is not sent twice. */}
          <LogoField key={saveCount} logo={branding.logo} errorText={errorText('logo')} />
        </Card>
        <Card title={t('group_colour')}>
          <AccentFields accent={branding.accent} errorText={errorText('accent')} />
        </Card>
        <Card title={t('group_links')}>
          <TextField
            label={t('contact')}
            help={t('contactHelp')}
            name="contact_email"
            type="email"
            maxLength={254}
            defaultValue={branding.contact_email ?? ''}
            errorText={errorText('contact_email')}
          />
          {(['imprint', 'privacy'] as const).map((page) => (
            <TextField
              key={page}
              label={t(page)}
              name={`${page}_url`}
              type="url"
              maxLength={2048}
              placeholder="https://"
              defaultValue={branding[`${page}_url`] ?? ''}
              errorText={errorText(`${page}_url`)}
            />
          ))}
        </Card>
      </fieldset>
      {save.isError && !fields.some(errorText) && <p className="wrong">{errorMessage(save.error)}</p>}
      {canEdit && (
        <Buttons isAtEnd>
          {isDirty && <span className="quiet-text">{t('unsaved')}</span>}
          <SubmitButton isBusy={save.isPending}>{t('save')}</SubmitButton>
        </Buttons>
      )}
    </form>
  )
}

type LogoImage = NonNullable<Schemas['Branding']['logo']>

function LogoField({ logo, errorText }: { logo: LogoImage | null; errorText: string | null }) {
  const [chosenUrl, setChosenUrl] = useState<string | null>(null)
  useEffect(() => () => URL.revokeObjectURL(chosenUrl ?? ''), [chosenUrl])
  return (
    <>
      {chosenUrl ? (
        <img className="settings-logo" src={chosenUrl} alt={t('logoChosen')} />
      ) : (
        logo && <Logo logo={logo} />
      )}
      <Field label={t('logo')} help={t('logoHelp')} errorText={errorText}>
        {(control) => (
          <input
            type="file"
            name="logo"
            accept="image/jpeg,image/png,image/webp"
            {...control}
            onChange={({ target: { files } }) => setChosenUrl(files?.[0] ? URL.createObjectURL(files[0]) : null)}
          />
        )}
      </Field>
    </>
  )
}

function Logo({ logo }: { logo: LogoImage }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/admin/branding', { body: removeLogoBody })),
    onSuccess: (saved) => {
      queries.setQueryData(brandingQuery.queryKey, saved)
      showNotice(t('logoRemoved'))
    },
    onError: showError,
  })
  return (
    <>
      <img
        className="settings-logo"
        src={`${logo.url}?${logo.size_bytes}`}
        alt={t('logoNow')}
        width={logo.width}
        height={logo.height}
      />
      <Buttons>
        <Button icon="trash" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {t('removeLogo')}
        </Button>
      </Buttons>
    </>
  )
}

function AccentFields({ accent, errorText }: { accent: string | null; errorText: string | null }) {
  const [hasAccent, setHasAccent] = useState(accent !== null)
  return (
    <>
      <CheckField
        label={t('ownAccent')}
        help={t('ownAccentHelp')}
        name="hasAccent"
        checked={hasAccent}
        onChange={({ target }) => setHasAccent(target.checked)}
      />
      {hasAccent && (
        <Field label={t('accent')} errorText={errorText}>
          {(control) => (
            <div className="settings-accent">
              <input type="color" name="accent" defaultValue={accent ?? '#7a5c3e'} {...control} />
            </div>
          )}
        </Field>
      )}
    </>
  )
}
