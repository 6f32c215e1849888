import { useMutation } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Buttons, SubmitButton } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { CheckField, handleSubmit, SelectField, TextField } from '../components/field.tsx'

const t = translator('account')

type Body = Schemas['CreateApiTokenBody']
type Props = { isOpen: boolean; onClose: () => void; onCreated: () => void }

/** The token is shown only once, with an example call. */
export function NewToken({ isOpen, onClose, onCreated }: Props) {
  const createToken = useMutation({
    mutationFn: (body: Body) => unwrap(api.POST('/api/admin/api-tokens', { body })),
    onSuccess: onCreated,
  })
  const close = () => {
    onClose()
    createToken.reset()
  }
  const onSubmit = handleSubmit((form) =>
    createToken.mutate({
      name: String(form.get('name')),
      scopes: [form.get('scope') as Body['scopes'][number]],
      reads_notes: form.has('reads_notes'),
      expires_at: String(form.get('expires')) || null,
    }),
  )
  if (createToken.data) {
    const curl = `curl ${location.origin}/api/v1/events -H "Authorization: Bearer ${createToken.data.token}"`
    return (
      <Dialog title={t('tokenMade')} description={t('tokenMadeText')} isOpen={isOpen} onClose={close} isWide>
        <pre className="new-token">{createToken.data.token}</pre>
        <p className="quiet-text">{t('tryToken')}</p>
        <pre className="new-token">{curl}</pre>
        <Buttons isAtEnd>
          <CopyButton text={curl} label={t('copyCall')} />
          <CopyButton text={createToken.data.token} kind="primary" label={t('copyToken')} />
        </Buttons>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('newToken')} description={t('newTokenText')} isOpen={isOpen} onClose={close}>
      <form className="stack" onSubmit={onSubmit}>
        <TextField label={t('tokenName')} help={t('tokenNameHelp')} name="name" maxLength={100} required />
        <SelectField label={t('mayDo')} name="scope" defaultValue="read">
          {(['read', 'write', 'admin'] as const).map((scope) => (
            <option key={scope} value={scope}>
              {t(`scope_${scope}`)}
            </option>
          ))}
        </SelectField>
        <CheckField label={t('readsNotes')} help={t('readsNotesHelp')} name="reads_notes" />
        <TextField
          label={t('expires')}
          help={t('expiresHelp')}
          name="expires"
          type="date"
          errorText={createToken.isError ? errorMessage(createToken.error) : null}
        />
        <Buttons isAtEnd>
          <SubmitButton isBusy={createToken.isPending}>{t('makeToken')}</SubmitButton>
        </Buttons>
      </form>
    </Dialog>
  )
}
