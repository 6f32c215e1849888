import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { CheckField } from '../../components/field.tsx'
import { formatTime } from '../../components/format-time.ts'
import { ReachNote } from '../../components/link-reach.tsx'
import { showNotice } from '../../components/notices.tsx'
import { changeEvent, updateCachedEvent } from '../event-queries.ts'
import { MailOnPublishing } from '../mail/gallery-mail.tsx'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

export function PublishDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const { id, event_name: name, customer_email: email } = event
  const [shouldSendMail, setShouldSendMail] = useState(true)
  const isExpired = !event.is_active
  const publish = useMutation({
    mutationFn: async () => {
      if (email) await changeEvent(id, { send_email: shouldSendMail })
      return unwrap(api.POST('/api/admin/events/{event_id}/publish', { params: { path: { event_id: id } } }))
    },
    onSuccess: async (event) => {
      onClose()
      await updateCachedEvent(event)
      showNotice(t('published', { name }))
    },
  })
  return (
    <ActionDialog
      title={t('publishTitle', { name })}
      description={
        isExpired && event.expires_at ? t('publishOver', { time: formatTime(event.expires_at) }) : t('publishText')
      }
      action={t('publish')}
      mutation={publish}
      onAction={() => publish.mutate()}
      onClose={onClose}
    >
      {email && !isExpired && (
        <CheckField
          label={t('mailTo', { email })}
          help={event.require_password ? t('mailWithoutPassword') : undefined}
          checked={shouldSendMail}
          onChange={({ target }) => setShouldSendMail(target.checked)}
        />
      )}
      {email && !isExpired && shouldSendMail && (
        <>
          <ReachNote link={event.share_url} />
          <MailOnPublishing eventId={id} />
        </>
      )}
    </ActionDialog>
  )
}
