import './link-and-password.css'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type LinkReach, linkReach } from '../../../../contract/link-reach.ts'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { useHasPermission, useMe } from '../../app/me.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { showError } from '../../components/notices.tsx'
import type { Event } from '../event-context.tsx'
import { findKnownPassword, rememberPassword } from '../known-passwords.ts'

const t = translator('events')

export function LinkAndPassword({ event }: { event: Event }) {
  const [revealed, setRevealed] = useState<string | null>(null)
  const reach = linkReach(event.share_url)
  const password = event.require_password ? (findKnownPassword(event.id) ?? revealed) : null
  return (
    <div className="stack">
      <CopyField
        label={t('link')}
        value={event.share_url}
        help={reach === 'internet' ? undefined : <LocalLinkHelp reach={reach} />}
      />
      {password !== null && (
        <>
          <CopyField label={t('password')} value={password} />
          <div>
            <CopyButton text={t('linkAndPassword', { link: event.share_url, password })} label={t('copyBoth')} />
          </div>
        </>
      )}
      {event.require_password && password === null && !event.is_archived && (
        <HiddenPassword event={event} onRevealed={setRevealed} />
      )}
    </div>
  )
}

function LocalLinkHelp({ reach }: { reach: Exclude<LinkReach, 'internet'> }) {
  const isSuperAdmin = useMe().role === 'super_admin'
  const whereItWorks = reach === 'computer' ? t('linkOnlyHere') : t('linkOnlyInNetwork')
  if (!isSuperAdmin) return `${whereItWorks} ${t('askForPublicAddress')}`
  return (
    <>
      {whereItWorks} {t('needsPublicAddress')}{' '}
      <Link to="/settings/$group" params={{ group: 'mail' }}>
        {t('setPublicAddress')}
      </Link>
    </>
  )
}

/** Requests the password only when the operator wants to see it, because each request is recorded. */
function HiddenPassword({ event, onRevealed }: { event: Event; onRevealed: (password: string) => void }) {
  const hasPermission = useHasPermission()
  const reveal = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/admin/events/{event_id}/reveal-password', { params: { path: { event_id: event.id } } })),
    onSuccess: ({ password }) => {
      if (password === null) return
      rememberPassword(event.id, password)
      onRevealed(password)
    },
    onError: showError,
  })
  if (!hasPermission('events.edit')) return null
  if (reveal.data?.password === null) return <p role="status">{t('passwordNotStored')}</p>
  return (
    <div>
      <Button icon="eye" isBusy={reveal.isPending} onClick={() => reveal.mutate()}>
        {t('showPassword')}
      </Button>
    </div>
  )
}

/** Shows the new share link after a change that invalidated the previous one. */
export const NewLinkDialog = ({ event, onClose }: { event: Event; onClose: () => void }) => (
  <Dialog
    title={t('newLinkTitle')}
    description={t(event.require_password ? 'newLinkTextPassword' : 'newLinkText')}
    isOpen
    onClose={onClose}
  >
    <LinkAndPassword event={event} />
  </Dialog>
)

const CopyField = ({ label, value, help }: { label: string; value: string; help?: ReactNode }) => (
  <Field label={label} help={help}>
    {(control) => (
      <div className="shown-text">
        <input {...control} type="text" readOnly value={value} onFocus={({ target }) => target.select()} />
        <CopyButton text={value} />
      </div>
    )}
  </Field>
)
