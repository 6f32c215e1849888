import '../../shared/key-list.css'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  description: string
  /** The names of keys, and what they do. */
  keys: ReadonlyArray<readonly [key: string, text: string]>
  onClose: () => void
}

export const KeysDialog = ({ title, description, keys, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title={title} description={description}>
    <dl className="keys">
      {keys.map(([key, text]) => (
        <div key={text}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
