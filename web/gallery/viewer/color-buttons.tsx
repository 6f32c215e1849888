import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { type ColorLabel, colorLabels } from '../../../contract/marks.ts'
import { applyMark } from '../marks/apply-mark.ts'
import { t } from '../state/page.ts'

/** Color is never the only sign: the dot also has a letter. Without a color it is a ring. */
export const ColorDot = ({ color }: { color: ColorLabel | null }) => (
  <span class={`viewer-dot ${color ?? ''}`} aria-hidden="true">
    {color && t(`${color}Short`)}
  </span>
)

/** Clicking the current color clears it. */
export function ColorButtons({ photo, isOpen }: { photo: GalleryPhoto; isOpen: boolean }) {
  return (
    <fieldset class={`viewer-strip${isOpen ? ' open' : ''}`} aria-label={t('colour')}>
      {colorLabels.map((color) => {
        const isOn = photo.my_color_label === color
        return (
          <button
            key={color}
            type="button"
            class={`round viewer-button${isOn ? ' on' : ''}`}
            aria-label={t(color)}
            aria-pressed={isOn}
            onClick={() => applyMark(photo.id, { kind: 'color', color: isOn ? null : color })}
          >
            <ColorDot color={color} />
          </button>
        )
      })}
    </fieldset>
  )
}
