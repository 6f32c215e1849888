import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api, must, type Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { wordsOf } from '../parts/error-messages.ts'
import { SelectField, TextField } from '../parts/field.tsx'

const say = sayIn('account')

type Body = Wire['CreateApiTokenBody']
type Props = { isOpen: boolean; onClose: () => void; onMade: () => void }

/** The token is shown only once, with an example call. */
export function NewToken({ isOpen, onClose, onMade }: Props) {
  const make = useMutation({
    mutationFn: (body: Body) => must(api.POST('/api/admin/api-tokens', { body })),
    onSuccess: onMade,
  })
  const close = () => {
    onClose()
    make.reset()
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    make.mutate({
      name: String(form.get('name')),
      scopes: [form.get('scope') as Body['scopes'][number]],
      expires_at: String(form.get('expires')) || null,
    })
  }
  if (make.data) {
    const curl = `curl ${location.origin}/api/v1/events -H "Authorization: Bearer ${make.data.token}"`
    return (
      <Dialog title={say('tokenMade')} about={say('tokenMadeText')} isOpen={isOpen} onClose={close} isWide>
        <pre className="new-token">{make.data.token}</pre>
        <p className="quiet-text">{say('tryToken')}</p>
        <pre className="new-token">{curl}</pre>
        <Buttons isAtEnd>
          <CopyButton text={curl} label={say('copyCall')} />
          <CopyButton text={make.data.token} kind="primary" label={say('copyToken')} />
        </Buttons>
      </Dialog>
    )
  }
  return (
    <Dialog title={say('newToken')} about={say('newTokenText')} isOpen={isOpen} onClose={close}>
      <form className="stack" onSubmit={onSubmit}>
        <TextField label={say('tokenName')} help={say('tokenNameHelp')} name="name" maxLength={100} required />
        <SelectField label={say('mayDo')} name="scope" defaultValue="read">
          {(['read', 'write', 'admin'] as const).map((scope) => (
            <option key={scope} value={scope}>
              {say(`scope_${scope}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('expires')}
          help={say('expiresHelp')}
          name="expires"
          type="date"
          wrong={make.isError ? wordsOf(make.error) : null}
        />
        <Buttons isAtEnd>
          <Button type="submit" kind="primary" isBusy={make.isPending}>
            {say('makeToken')}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
