import './keys-dialog.css'
import { sayIn } from '../desk/language.ts'
import { Dialog } from '../parts/dialog.tsx'

const say = sayIn('photos')

const keys = [
  ['nameArrows', 'keyMove'],
  ['nameShiftArrows', 'keyReach'],
  ['nameSpace', 'keyToggle'],
  ['nameAll', 'keyAll'],
  ['nameEscape', 'keyClear'],
  ['nameEnter', 'keyOpen'],
  ['nameMenu', 'keyMenu'],
  ['nameStars', 'keyStars'],
  ['nameZero', 'keyNoStars'],
  ['nameColors', 'keyColors'],
  ['nameDelete', 'keyDelete'],
  ['nameZoom', 'keyZoom'],
  ['nameDetails', 'keyDetails'],
] as const

export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={say('keys')} about={say('keysText')}>
    <dl className="key-list">
      {keys.map(([key, text]) => (
        <div key={text}>
          <dt>
            <kbd>{say(key)}</kbd>
          </dt>
          <dd>{say(text)}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
