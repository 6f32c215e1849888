import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { ColorLabel } from '../../../contract/marks.ts'
import { Icon } from '../parts/icon.tsx'
import { pickKind, t } from '../state/page.ts'
import { applyMark, isPicked, ratingMark, toggleColor, togglePick } from './apply-mark.ts'

export function PickButton({
  photo,
  name,
  class: className = 'pick',
}: {
  photo: GalleryPhoto
  name: string
  class?: string
}) {
  if (pickKind === null) return null
  const isOn = isPicked(photo)
  return (
    <button
      type="button"
      class={`round ${className}${isOn ? ' on' : ''}`}
      aria-pressed={isOn}
      aria-label={t('pickPhoto', { photo: name })}
      onClick={({ currentTarget }) => {
        // Only a tap is animated, not a mark that arrives from elsewhere.
        currentTarget.dataset.tapped = ''
        void togglePick(photo)
      }}
    >
      <Icon name="heart" isFilled={isOn} />
    </button>
  )
}

type ButtonProps = { photo: GalleryPhoto; class: string; tabIndex?: number }

/** A click on the current rating clears the rating. */
export function StarButton({ photo, rating, class: className, tabIndex }: ButtonProps & { rating: number }) {
  const given = photo.my_rating ?? 0
  return (
    <button
      type="button"
      class={`round ${className} star${rating <= given ? ' on' : ''}`}
      tabIndex={tabIndex}
      aria-label={t('stars', { count: rating })}
      aria-pressed={rating === given}
      onClick={() => applyMark(photo.id, ratingMark(rating === given ? 0 : rating))}
    >
      <Icon name="star" isFilled={rating <= given} />
    </button>
  )
}

type ColorButtonProps = ButtonProps & { color: ColorLabel; dotClass?: string }

export function ColorButton({ photo, color, class: className, tabIndex, dotClass = '' }: ColorButtonProps) {
  const isOn = photo.my_color_label === color
  return (
    <button
      type="button"
      class={`round ${className}${isOn ? ' on' : ''}`}
      tabIndex={tabIndex}
      aria-label={t(color)}
      aria-pressed={isOn}
      onClick={() => toggleColor(photo, color)}
    >
      <ColorDot color={color} class={dotClass} />
    </button>
  )
}

/** The dot has a letter, for guests who cannot distinguish colors. Without a color the dot is an empty ring. */
export const ColorDot = ({ color, class: className = '' }: { color: ColorLabel | null; class?: string }) => (
  <span class={`dot ${className} ${color ?? ''}`} aria-hidden="true">
    {color && t(`${color}Short`)}
  </span>
)
