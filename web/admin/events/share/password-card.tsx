import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { showError } from '../../components/notices.tsx'
import { Card } from '../../components/page.tsx'
import type { Event } from '../event-context.tsx'
import { changeEvent, updateCachedEvent } from '../event-queries.ts'
import { forgetPassword } from '../known-passwords.ts'
import { NewLinkDialog } from './link-and-password.tsx'
import { SetPasswordDialog } from './set-password-dialog.tsx'

const t = translator('events')

/** Each change invalidates the share link, so a dialog asks first. The new link is shown afterwards. */
export function PasswordCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const [isSetting, setSetting] = useState(false)
  const [isNewLink, setNewLink] = useState(false)
  const change = useMutation({
    mutationFn: (accessChange: 'open' | 'renew') =>
      accessChange === 'open'
        ? changeEvent(event.id, { require_password: false })
        : unwrap(api.POST('/api/admin/events/{event_id}/renew-link', { params: { path: { event_id: event.id } } })),
    onSuccess: async (changed, accessChange) => {
      if (accessChange === 'open') forgetPassword(event.id)
      await updateCachedEvent(changed)
      setNewLink(true)
    },
    onError: showError,
  })
  const confirmChange = async (accessChange: 'open' | 'renew') => {
    const { event_name: name } = event
    const renewText = event.require_password ? 'renewTextPassword' : 'renewText'
    const question =
      accessChange === 'open'
        ? { title: t('openTitle', { name }), text: t('openText'), action: t('openAction') }
        : { title: t('renewTitle', { name }), text: t(renewText), action: t('renewAction') }
    if (await confirm(question)) change.mutate(accessChange)
  }
  return (
    <Card title={t('waysIn')}>
      <p className="share-fact">{event.require_password ? t('isProtected') : t('isOpen')}</p>
      <div className="buttons">
        <Button icon="key" disabled={isLocked} onClick={() => setSetting(true)}>
          {event.require_password ? t('otherPasswordAction') : t('setPassword')}
        </Button>
        {event.require_password && (
          <Button kind="quiet" disabled={isLocked} isBusy={change.isPending} onClick={() => void confirmChange('open')}>
            {t('openAction')}
          </Button>
        )}
        <Button
          kind="quiet"
          icon="refresh"
          disabled={isLocked}
          isBusy={change.isPending}
          onClick={() => void confirmChange('renew')}
        >
          {t('renewAction')}
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
