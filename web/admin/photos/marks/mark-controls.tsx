import './mark-controls.css'
import { type ColorLabel, colorLabels } from '../../../../contract/color-labels.ts'
import { colorName } from '../../app/color-name.ts'
import { translator } from '../../app/language.ts'
import { Icon } from '../../components/icon.tsx'
import { ColorDot } from './color-dot.tsx'
import type { MarkChange } from './mark-keys.ts'

const t = translator('photos')

type Props = {
  /** `rating` and `color`: the marks that all photos to be marked have in common, or null. */
  rating: number | null
  color: ColorLabel | null
  onMark: (change: MarkChange) => void
}

export const MarkControls = ({ rating, color, onMark }: Props) => (
  <>
    <fieldset className="mark-stars" aria-label={t('ownRating')}>
      {[1, 2, 3, 4, 5].map((stars) => (
        <button
          key={stars}
          type="button"
          className="icon-button"
          aria-label={t('stars', { count: stars })}
          aria-pressed={rating === stars}
          title={`${t('stars', { count: stars })} (${stars})`}
          onClick={() => onMark({ rating: rating === stars ? null : stars })}
        >
          <Icon name="star" isFilled={rating !== null && stars <= rating} />
        </button>
      ))}
    </fieldset>
    <fieldset className="mark-colors" aria-label={t('ownColorLabel')}>
      {colorLabels.map((one) => (
        <button
          key={one}
          type="button"
          className="icon-button"
          aria-label={colorName(one)}
          aria-pressed={color === one}
          title={keys[one] ? `${colorName(one)} (${keys[one]})` : colorName(one)}
          onClick={() => onMark({ color_label: color === one ? null : one })}
        >
          <ColorDot color={one} />
        </button>
      ))}
    </fieldset>
  </>
)

const keys: Partial<Record<ColorLabel, number>> = { red: 6, yellow: 7, green: 8, blue: 9 }
