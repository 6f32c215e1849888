import { sayIn } from '../desk/language.ts'
import { Buttons } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'

const say = sayIn('people')

/** The link by which somebody chooses a password, shown this once. */
export const InviteLinkDialog = ({ name, url, onClose }: { name: string; url: string; onClose: () => void }) => (
  <Dialog title={say('linkFor', { name })} about={say('linkText')} isOpen onClose={onClose}>
    <pre className="people-link">{url}</pre>
    <Buttons isAtEnd>
      <CopyButton text={url} kind="primary" label={say('copyLink')} />
    </Buttons>
  </Dialog>
)
