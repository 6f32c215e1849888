import '../../shared/key-list.css'
import { translator } from '../app/language.ts'
import { Dialog } from '../components/dialog.tsx'

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
  <Dialog isOpen onClose={onClose} title={t('keys')} description={t('keysText')}>
    <dl className="keys">
      {keys.map(([key, text]) => (
        <div key={text}>
          <dt>
            <kbd>{t(key)}</kbd>
          </dt>
          <dd>{t(text)}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
