import { useMutation } from '@tanstack/react-query'
import { api, must } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { wordsOf } from '../parts/error-messages.ts'
import { tell } from '../parts/notices.tsx'

const say = sayIn('health')

/** The mail goes to the account that is signed in. */
export function TestMail() {
  const send = useMutation({
    mutationFn: () => must(api.POST('/api/admin/mail/test')),
    onSuccess: ({ to, is_sent, problem }) =>
      is_sent
        ? tell(say('testMailTaken', { address: to }))
        : tell(say('testMailRefused', { address: to, problem: problem ?? '' }), { isAlarm: true }),
    onError: (error) => tell(wordsOf(error), { isAlarm: true }),
  })
  return (
    <Button icon="send" isBusy={send.isPending} onClick={() => send.mutate()}>
      {say('testMail')}
    </Button>
  )
}
