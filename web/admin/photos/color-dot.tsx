import './color-dot.css'
import type { ColorLabel } from '../../../contract/marks.ts'
import { colorLetter, colorWords } from './photo-words.ts'

/** A label, with its letter. `isHeard`: where nothing else says which it is. */
export const ColorDot = ({ color, isHeard = false }: { color: ColorLabel; isHeard?: boolean }) => (
  <span
    className={`color-dot ${color}`}
    {...(isHeard ? { role: 'img', 'aria-label': colorWords(color) } : { 'aria-hidden': true })}
  >
    {colorLetter(color)}
  </span>
)
