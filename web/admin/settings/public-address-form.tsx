import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button, Buttons, SubmitButton } from '../components/button.tsx'
import { useConfirmLeave } from '../components/confirm.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { handleSubmit, TextField } from '../components/field.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { Card } from '../components/page.tsx'
import { isLocalHostname } from '../health/fix-lines.ts'
import { healthQuery } from '../health/health-query.ts'
import { SetByEnvironment } from './set-by-environment.tsx'

const t = translator('settings')

const examplePath = '/gallery/ana-and-ben/k7Qx…'

export function PublicAddressForm({ address }: { address: Schemas['PublicAddress'] }) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState(address.url ?? '')
  const isSet = address.source === 'environment'
  const isDirty = !isSet && typed !== (address.url ?? '')
  const save = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/admin/public-address', { body: { url: typed.trim() || null } })),
    onSuccess: async (saved) => {
      setTyped(saved.url ?? '')
      queries.setQueryData(['settings', 'public-address'], saved)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['settings', 'mail-server'] }),
        queries.invalidateQueries({ queryKey: healthQuery.queryKey }),
        queries.invalidateQueries({ queryKey: ['events'] }),
      ])
      showNotice(t('saved'))
    },
    onError: (error) => findFieldMessage(error, 'url') ?? showError(error),
  })
  useConfirmLeave(isDirty)
  const origin = isDirty ? parseOrigin(typed) : address.link_origin
  return (
    <form onSubmit={handleSubmit(() => save.mutate())}>
      <Card title={t('group_address')}>
        {isSet ? (
          <div className="settings-fixed">
            <strong>{address.url}</strong>
            <SetByEnvironment variable="PUBLIC_URL" />
          </div>
        ) : (
          <TextField
            label={t('publicAddress')}
            help={t('publicAddressHelp')}
            type="url"
            maxLength={2048}
            placeholder="https://photos.example.com"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            errorText={findFieldMessage(save.error, 'url')}
          />
        )}
        {origin && <LinkPreview origin={origin} address={address} isTyped={isDirty} />}
        {!isSet && (
          <Buttons isAtEnd>
            {isDirty && <span className="quiet-text">{t('unsaved')}</span>}
            {typed === '' && !isLocalHostname(location.hostname) && (
              <Button onClick={() => setTyped(location.origin)}>{t('useThisAddress')}</Button>
            )}
            <SubmitButton isBusy={save.isPending} disabled={!isDirty}>
              {t('saveAddress')}
            </SubmitButton>
          </Buttons>
        )}
      </Card>
    </form>
  )
}

type PreviewProps = { origin: string; address: Schemas['PublicAddress']; isTyped: boolean }

function LinkPreview({ origin, address, isTyped }: PreviewProps) {
  const isElsewhere = origin !== location.origin
  const isLocal = isLocalHostname(new URL(origin).hostname)
  return (
    <>
      <dl className="settings-preview">
        <dt>{t('linksLookLike')}</dt>
        <dd>
          <code>
            {origin}
            {examplePath}
          </code>
        </dd>
      </dl>
      {address.url === null && !isTyped && (
        <p className="quiet-text">{t(address.source === 'none' ? 'linksFrom_none' : 'linksFrom_sign_in')}</p>
      )}
      {isLocal && <p className="settings-warning">{t('linksLocal')}</p>}
      {isElsewhere && !isLocal && (
        <p className="settings-warning">{t('linksElsewhere', { origin: location.origin })}</p>
      )}
    </>
  )
}

/** Returns null for text that is not a web address. */
function parseOrigin(text: string): string | null {
  if (text.trim() === '') return null
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}
