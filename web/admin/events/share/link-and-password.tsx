import './link-and-password.css'
import { type ReactNode, useState } from 'react'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { describeReach } from '../../components/link-reach.tsx'
import type { Event } from '../event-context.tsx'
import { findKnownPassword } from '../known-passwords.ts'
import { RevealPassword } from '../reveal-password.tsx'

const t = translator('events')

export function LinkAndPassword({ event }: { event: Event }) {
  const hasPermission = useHasPermission()
  const [revealed, setRevealed] = useState<string | null>(null)
  const password = event.require_password ? (findKnownPassword(event.id) ?? revealed) : null
  return (
    <div className="stack">
      <CopyField label={t('link')} value={event.share_url} help={describeReach(event.share_url)} />
      {password !== null && (
        <>
          <CopyField label={t('password')} value={password} />
          <div>
            <CopyButton text={t('linkAndPassword', { link: event.share_url, password })} label={t('copyBoth')} />
          </div>
        </>
      )}
      {event.require_password && password === null && !event.is_archived && hasPermission('events.edit') && (
        <RevealPassword eventId={event.id} icon="eye" label={t('showPassword')} onRevealed={setRevealed} />
      )}
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
