import { translator } from '../app/language.ts'
import { Buttons } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useIsMailConfigured } from '../health/use-is-mail-configured.ts'

const t = translator('people')

type Props = { name: string; url: string; onClose: () => void }

/** The link to choose a password. It is shown only once. */
export function InviteLinkDialog({ name, url, onClose }: Props) {
  const description = t(useIsMailConfigured() ? 'linkText' : 'linkTextNoMail')
  return (
    <Dialog title={t('linkFor', { name })} description={description} isOpen onClose={onClose}>
      <pre className="people-link">{url}</pre>
      <Buttons isAtEnd>
        <CopyButton text={url} kind="primary" label={t('copyLink')} />
      </Buttons>
    </Dialog>
  )
}
