import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { showNotice } from '../components/notices.tsx'

const t = translator('health')

/** The mail goes to the account that is signed in. */
export function TestMail() {
  const send = useMutation({
    mutationFn: () => unwrap(api.POST('/api/admin/mail/test')),
    onSuccess: ({ to, is_sent, problem }) =>
      is_sent
        ? showNotice(t('testMailTaken', { address: to }))
        : showNotice(t('testMailRefused', { address: to, problem: problem ?? '' }), { isAlarm: true }),
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
  })
  return (
    <Button icon="send" isBusy={send.isPending} onClick={() => send.mutate()}>
      {t('testMail')}
    </Button>
  )
}
