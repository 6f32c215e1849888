import { translator } from '../../app/language.ts'
import { Dialog } from '../../components/dialog.tsx'
import type { Event } from '../event-context.tsx'
import { LinkAndPassword } from './link-and-password.tsx'

const t = translator('events')

/** Shows the new share link after a change that invalidated the previous one. */
export const NewLinkDialog = ({ event, onClose }: { event: Event; onClose: () => void }) => (
  <Dialog title={t('newLinkTitle')} description={t('newLinkText')} isOpen onClose={onClose}>
    <LinkAndPassword event={event} />
  </Dialog>
)
