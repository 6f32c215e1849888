import '../../../shared/color-dot.css'
import type { ColorLabel } from '../../../../contract/marks.ts'
import { colorName } from '../../app/color-name.ts'
import { colorLetter } from '../model/photo-labels.ts'

/** `isLabeled` gives the dot an accessible name; otherwise it is hidden from screen readers. */
export const ColorDot = ({ color, isLabeled = false }: { color: ColorLabel; isLabeled?: boolean }) => (
  <span
    className={`dot ${color}`}
    {...(isLabeled ? { role: 'img', 'aria-label': colorName(color) } : { 'aria-hidden': true })}
  >
    {colorLetter(color)}
  </span>
)
