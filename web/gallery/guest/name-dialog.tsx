import { guestName } from '../marks/guest-name.ts'
import { Sheet } from '../parts/sheet.tsx'
import { page, say } from '../state/page.ts'
import { NameForm } from './name-form.tsx'

type Props = {
  onDone: (isThere: boolean) => void
}

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

export const YourName = ({ onClose }: { onClose: () => void }) => <NameDialog onDone={onClose} />
