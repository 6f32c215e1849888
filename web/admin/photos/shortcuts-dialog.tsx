import { translator } from '../app/language.ts'
import { KeysDialog } from '../components/keys-dialog.tsx'

const t = translator('photos')

const keys = [
  ['nameArrows', 'keyMove'],
  ['nameShiftArrows', 'keyReach'],
  ['nameSpace', 'keyToggle'],
  ['nameAll', 'keyAll'],
  ['nameEscape', 'keyClear'],
  ['nameEnter', 'keyOpen'],
  ['nameMenu', 'keyMenu'],
  ['nameAltArrows', 'keyPlace'],
  ['nameStars', 'keyStars'],
  ['nameZero', 'keyNoStars'],
  ['nameColors', 'keyColors'],
  ['nameDelete', 'trash'],
  ['nameZoom', 'keyZoom'],
  ['nameDetails', 'keyDetails'],
] as const

export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <KeysDialog
    title={t('keys')}
    description={t('keysText')}
    keys={keys.map(([key, text]) => [t(key), t(text)])}
    onClose={onClose}
  />
)
