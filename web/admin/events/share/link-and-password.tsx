import './link-and-password.css'
import { translator } from '../../app/language.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import type { Event } from '../event-context.tsx'
import { findKnownPassword } from '../known-passwords.ts'
import { isLocalLink } from '../share-urls.ts'

const t = translator('events')

export function LinkAndPassword({ event }: { event: Event }) {
  const password = event.require_password ? findKnownPassword(event.id) : null
  return (
    <div className="stack">
      <CopyField
        label={t('link')}
        value={event.share_url}
        help={isLocalLink(event.share_url) ? t('linkOnlyHere') : undefined}
      />
      {password !== null && (
        <>
          <CopyField label={t('password')} value={password} help={t('shownOnce')} />
          <div>
            <CopyButton text={t('linkAndPassword', { link: event.share_url, password })} label={t('copyBoth')} />
          </div>
        </>
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

const CopyField = ({ label, value, help }: { label: string; value: string; help: string | undefined }) => (
  <Field label={label} help={help}>
    {(control) => (
      <div className="shown-text">
        <input {...control} type="text" readOnly value={value} onFocus={({ target }) => target.select()} />
        <CopyButton text={value} />
      </div>
    )}
  </Field>
)
