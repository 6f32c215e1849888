import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { must } from '../../../../contract/must.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { formatTime } from '../../components/format-time.ts'
import { ReachNote } from '../../components/link-reach.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showNotice } from '../../components/notices.tsx'
import type { EventSummary } from '../actions/event-mutations.ts'
import { findFieldError } from '../fields/field-errors.ts'
import { findKnownPassword } from '../known-passwords.ts'
import { GalleryMail, galleryMailQuery } from './gallery-mail.tsx'

const t = translator('events')

type Props = { event: EventSummary; onClose: () => void }

export function ResendDialog({ event, onClose }: Props) {
  const query = useQuery(galleryMailQuery(event.id))
  if (query.data?.can_send) return <SendDialog event={event} mail={query.data} onClose={onClose} />
  return (
    <Dialog title={t('mailTitle')} description={query.data && t('pasteText')} isOpen onClose={onClose}>
      <ReachNote link={event.share_url} />
      <Loaded query={query}>{(mail) => <MailToPaste eventId={event.id} mail={mail} />}</Loaded>
    </Dialog>
  )
}

export function MailToPaste({ eventId, mail }: { eventId: number; mail: Schemas['GalleryMail'] }) {
  const [password, setPassword] = useState(() => findKnownPassword(eventId) ?? '')
  return (
    <div className="stack">
      <GalleryMail eventId={eventId} mail={mail} password={password} onPassword={setPassword} />
    </div>
  )
}

/** The mail includes the password only if it is in the field. */
function SendDialog({ event, mail, onClose }: Props & { mail: Schemas['GalleryMail'] }) {
  const [password, setPassword] = useState(() => findKnownPassword(event.id) ?? '')
  const email = must(event.customer_email, 'the email address of the customer')
  const { emailed_at: time } = mail
  const resend = useMutation({
    mutationFn: () => {
      const params = { path: { event_id: event.id } }
      const body = event.require_password && password !== '' ? { password } : {}
      return unwrap(api.POST('/api/admin/events/{event_id}/resend-email', { params, body }))
    },
    onSuccess: () => {
      onClose()
      showNotice(t('mailed', { email }))
    },
  })
  return (
    <ActionDialog
      title={t('resendTitle', { email })}
      description={time ? t('resendText', { time: formatTime(time) }) : t('sendText')}
      action={t(time ? 'resend' : 'send')}
      mutation={resend}
      onAction={() => resend.mutate()}
      fields={['password']}
      onClose={onClose}
    >
      {event.require_password && (
        <TextField
          label={t('passwordInMail')}
          help={t('passwordInMailHelp')}
          value={password}
          errorText={findFieldError(resend.error, 'password') && t('otherPassword')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
      <ReachNote link={event.share_url} />
      <GalleryMail eventId={event.id} mail={mail} password={password} onPassword={setPassword} />
    </ActionDialog>
  )
}
