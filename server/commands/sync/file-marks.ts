import { findLabelColor } from '../../feedback/label-names.ts'
import type { XmpMarks } from '../../platform/xmp/read-xmp.ts'
import type { Marks } from './decide-marks.ts'

/** Reads the label first, because that is what photo programs show. Programs write 0 for no stars. */
export function toFileMarks({ rating, label, labelColor }: XmpMarks): Marks {
  const stars = Math.round(rating ?? 0)
  const color = (label && findLabelColor(label)) || labelColor
  return { rating: stars === -1 || (stars >= 1 && stars <= 5) ? stars : null, color: color ?? null }
}
