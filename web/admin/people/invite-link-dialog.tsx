import { translator } from '../desk/language.ts'
import { useIsMailConfigured } from '../health/use-mail-set-up.ts'
import { Buttons } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'

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
