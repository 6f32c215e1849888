import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import type { IconName } from '../components/icon.tsx'
import { showError } from '../components/notices.tsx'
import { rememberPassword } from './known-passwords.ts'

const t = translator('events')

type Props = { eventId: number; icon: IconName; label: string; onRevealed: (password: string) => void }

/** Requests the password only when the operator wants it, because each request is recorded. */
export function RevealPassword({ eventId, icon, label, onRevealed }: Props) {
  const reveal = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/admin/events/{event_id}/reveal-password', { params: { path: { event_id: eventId } } })),
    onSuccess: ({ password }) => {
      if (password === null) return
      rememberPassword(eventId, password)
      onRevealed(password)
    },
    onError: showError,
  })
  if (reveal.data?.password === null) return <p role="status">{t('passwordNotStored')}</p>
  return (
    <div>
      <Button icon={icon} isBusy={reveal.isPending} onClick={() => reveal.mutate()}>
        {label}
      </Button>
    </div>
  )
}
