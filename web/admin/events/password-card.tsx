import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { confirm } from '../parts/confirm.tsx'
import { wordsOf } from '../parts/error-messages.ts'
import { tell } from '../parts/notices.tsx'
import { Card } from '../parts/page.tsx'
import type { Event } from './event-here.tsx'
import { eventChanged } from './event-query.ts'
import { forgetPassword } from './known-passwords.ts'
import { NewLinkDialog } from './new-link-dialog.tsx'
import { SetPasswordDialog } from './set-password-dialog.tsx'

const say = sayIn('events')

/** Each change of the access rules invalidates the link, so it needs a confirmation and shows the new link. */
export function PasswordCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const [isSetting, setSetting] = useState(false)
  const [isNewLink, setNewLink] = useState(false)
  const params = { path: { event_id: event.id } }
  const change = useMutation({
    mutationFn: (how: 'open' | 'renew') =>
      how === 'open'
        ? must(api.PATCH('/api/admin/events/{event_id}', { params, body: { require_password: false } }))
        : must(api.POST('/api/admin/events/{event_id}/renew-link', { params })),
    onSuccess: async (changed, how) => {
      if (how === 'open') forgetPassword(event.id)
      await eventChanged(changed)
      setNewLink(true)
    },
    onError: (error) => tell(wordsOf(error), { isAlarm: true }),
  })
  const ask = async (how: 'open' | 'renew') => {
    const { event_name: name } = event
    const question =
      how === 'open'
        ? { title: say('openTitle', { name }), text: say('openText'), action: say('openAction') }
        : { title: say('renewTitle', { name }), text: say('renewText'), action: say('renewAction') }
    if (await confirm(question)) change.mutate(how)
  }
  return (
    <Card title={say('waysIn')}>
      <p className="share-fact">{event.require_password ? say('isProtected') : say('isOpen')}</p>
      <div className="buttons">
        <Button icon="key" disabled={isLocked} onClick={() => setSetting(true)}>
          {event.require_password ? say('otherPasswordAction') : say('setPassword')}
        </Button>
        {event.require_password && (
          <Button kind="quiet" disabled={isLocked} isBusy={change.isPending} onClick={() => void ask('open')}>
            {say('openAction')}
          </Button>
        )}
        <Button
          kind="quiet"
          icon="refresh"
          disabled={isLocked}
          isBusy={change.isPending}
          onClick={() => void ask('renew')}
        >
          {say('renewAction')}
        </Button>
      </div>
      {isSetting && (
        <SetPasswordDialog
          event={event}
          onClose={() => setSetting(false)}
          onSet={() => {
            setSetting(false)
            setNewLink(true)
          }}
        />
      )}
      {isNewLink && <NewLinkDialog event={event} onClose={() => setNewLink(false)} />}
    </Card>
  )
}
