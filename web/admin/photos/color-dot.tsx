import './color-dot.css'
import type { ColorLabel } from '../../../contract/marks.ts'
import { colorLetter, colorName } from './photo-words.ts'

/** `isHeard` gives the dot an accessible name; otherwise it is hidden from screen readers. */
export const ColorDot = ({ color, isHeard = false }: { color: ColorLabel; isHeard?: boolean }) => (
  <span
    className={`color-dot ${color}`}
    {...(isHeard ? { role: 'img', 'aria-label': colorName(color) } : { 'aria-hidden': true })}
  >
    {colorLetter(color)}
  </span>
)
