import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { formatTime } from '../components/format-time.ts'
import { showError } from '../components/notices.tsx'
import { ShareButton } from '../components/share-button.tsx'
import { useEvent } from '../events/event-context.tsx'
import type { GuestNames } from '../feedback/guest-names.ts'
import type { PickingGuest } from '../feedback/picks-query.ts'

const t = translator('feedback')

type Props = { guest: PickingGuest; names: GuestNames; onClose: () => void }

/** Creates a link when it opens, because each link works once. */
export function PersonalLinkDialog({ guest, names, onClose }: Props) {
  const event = useEvent()
  const name = names.of(guest.id)
  const { mutate, data: link } = useMutation({
    mutationFn: () => {
      const params = { path: { event_id: event.id, guest_id: guest.id } }
      return unwrap(api.POST('/api/admin/events/{event_id}/guests/{guest_id}/link', { params }))
    },
    onError: (error) => {
      showError(error)
      onClose()
    },
  })
  useEffect(() => mutate(), [mutate])
  if (!link) return null
  return (
    <Dialog
      title={t('personalLinkTitle', { guest: name })}
      description={t('personalLinkText', { guest: name, time: formatTime(link.expires_at) })}
      isOpen
      onClose={onClose}
    >
      <div className="stack">
        <code className="personal-link">{link.url}</code>
        <p className="quiet-text">{t('personalLinkAgain')}</p>
        <Buttons isAtEnd>
          <Button onClick={onClose}>{t('close')}</Button>
          <ShareButton title={event.event_name} url={link.url} />
          <CopyButton text={link.url} kind="primary" />
        </Buttons>
      </div>
    </Dialog>
  )
}
