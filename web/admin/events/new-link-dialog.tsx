import { sayIn } from '../desk/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { Event } from './event-here.tsx'
import { LinkAndPassword } from './link-and-password.tsx'

const say = sayIn('events')

/** After a change that made another link: the one that guests have opens nothing any more. */
export const NewLinkDialog = ({ event, onClose }: { event: Event; onClose: () => void }) => (
  <Dialog title={say('newLinkTitle')} about={say('newLinkText')} isOpen onClose={onClose}>
    <LinkAndPassword event={event} />
  </Dialog>
)
