import { guestName } from '../marks/guest-name.ts'
import { Sheet } from '../parts/sheet.tsx'
import { page, say } from '../state/page.ts'
import { NameForm } from './name-form.tsx'

type Props = {
  /** With whether a name has been given. */
  onDone: (isThere: boolean) => void
}

/** Asks who a guest is, or lets a guest change it. */
export function NameDialog({ onDone }: Props) {
  return (
    <Sheet title={say('yourName')} onClose={() => onDone(false)}>
      <NameForm
        why={page.feedback.require_guest_name && !guestName.value ? say('nameWanted') : say('nameUse')}
        saveWord={say('save')}
        onSaved={() => onDone(true)}
        onCancel={() => onDone(false)}
      />
    </Sheet>
  )
}

/** As the menu opens it. */
export const YourName = ({ onClose }: { onClose: () => void }) => <NameDialog onDone={onClose} />
