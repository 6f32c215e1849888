import type { GalleryPhoto } from '../../../contract/gallery.ts'
import { type ColorLabel, colorLabels } from '../../../contract/marks.ts'
import { giveMark } from '../marks/give-mark.ts'
import { say } from '../state/page.ts'

/** A colour is never alone: it has a letter as well. Without a colour it is a ring. */
export const ColourDot = ({ color }: { color: ColorLabel | null }) => (
  <span class={`viewer-dot ${color ?? ''}`} aria-hidden="true">
    {color && say(`${color}Short`)}
  </span>
)

/** Five colours; the one that is given takes itself back. */
export function ColourButtons({ photo, isOpen }: { photo: GalleryPhoto; isOpen: boolean }) {
  return (
    <fieldset class={`viewer-strip${isOpen ? ' open' : ''}`} aria-label={say('colour')}>
      {colorLabels.map((color) => {
        const isOn = photo.my_color_label === color
        return (
          <button
            key={color}
            type="button"
            class={`round viewer-button${isOn ? ' on' : ''}`}
            aria-label={say(color)}
            aria-pressed={isOn}
            onClick={() => giveMark(photo.id, { kind: 'color', color: isOn ? null : color })}
          >
            <ColourDot color={color} />
          </button>
        )
      })}
    </fieldset>
  )
}
