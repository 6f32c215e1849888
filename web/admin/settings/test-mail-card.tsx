import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'
import { Buttons, SubmitButton } from '../components/button.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { handleSubmit, TextField } from '../components/field.tsx'
import { Card } from '../components/page.tsx'

const t = translator('settings')

type Entered = Pick<Schemas['TestMailServerBody'], 'server' | 'sender'>

/** `entered` is what the form above contains, whether it is saved or not. */
export function TestMailCard({ entered, isDirty }: { entered: Entered; isDirty: boolean }) {
  const [to, setTo] = useState(useMe().email)
  const send = useMutation({
    mutationFn: () => unwrap(api.POST('/api/admin/mail/server/test', { body: { to: to.trim(), ...entered } })),
  })
  return (
    <form onSubmit={handleSubmit(() => send.mutate())}>
      <Card title={t('group_testMail')}>
        <TextField
          label={t('testTo')}
          help={t(isDirty ? 'testEntered' : 'testSaved')}
          type="email"
          maxLength={254}
          required
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
        <div className="settings-result" role="status">
          {send.isPending && <p className="quiet-text">{t('testSending')}</p>}
          {send.isError && <p className="wrong">{errorMessage(send.error)}</p>}
          {send.isSuccess && <Result reply={send.data} />}
        </div>
        <Buttons isAtEnd>
          <SubmitButton kind="plain" icon="send" isBusy={send.isPending}>
            {t('testSend')}
          </SubmitButton>
        </Buttons>
      </Card>
    </form>
  )
}

function Result({ reply: { to, is_sent, failure, problem } }: { reply: Schemas['TestMail'] }) {
  if (is_sent) return <p className="settings-good">{t('testSent', { address: to })}</p>
  return (
    <>
      <p className="wrong">{t(`failure_${failure ?? 'other'}`)}</p>
      {problem && <p className="quiet-text">{t('testReply', { problem })}</p>}
    </>
  )
}
