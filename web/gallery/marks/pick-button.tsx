import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { Icon } from '../parts/icon.tsx'
import { pickKind, t } from '../state/page.ts'
import { applyMark, isPicked } from './apply-mark.ts'

export function PickButton({ photo, name }: { photo: GalleryPhoto; name: string }) {
  if (pickKind === null) return null
  const isOn = isPicked(photo)
  return (
    <button
      type="button"
      class={`round pick${isOn ? ' on' : ''}`}
      aria-pressed={isOn}
      aria-label={t('pickPhoto', { photo: name })}
      onClick={() => applyMark(photo.id, { kind: 'pick', isPicked: !isOn })}
    >
      <Icon name="heart" isFilled={isOn} />
    </button>
  )
}
