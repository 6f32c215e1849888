import { guestName } from '../marks/guest-name.ts'
import { Sheet } from '../parts/sheet.tsx'
import { page, t } from '../state/page.ts'
import { NameForm } from './name-form.tsx'

type Props = {
  onDone: (hasName: boolean) => void
}

export function NameDialog({ onDone }: Props) {
  return (
    <Sheet title={t('yourName')} onClose={() => onDone(false)}>
      <NameForm
        explanation={page.feedback.require_guest_name && !guestName.value ? t('nameWanted') : t('nameUse')}
        saveLabel={t('save')}
        onSaved={() => onDone(true)}
        onCancel={() => onDone(false)}
      />
    </Sheet>
  )
}

export const OwnNameDialog = ({ onClose }: { onClose: () => void }) => <NameDialog onDone={onClose} />
