import type { XmpMarks } from '../platform/xmp/read-xmp.ts'
import { findLabelColor } from './label-names.ts'
import type { OwnMark } from './mark-rules.ts'

/**
 * Returns the marks that a photographer has given a file in another program. Null if there is none. What the sidecar
 * says precedes what is embedded in the file. A rejected photo (-1) has no rating.
 */
export function toCullingMarks(embedded: XmpMarks | null, sidecar: XmpMarks | null): OwnMark | null {
  const stars = sidecar?.rating ?? embedded?.rating ?? 0
  const labeled = sidecar && hasLabel(sidecar) ? sidecar : embedded
  const mark = {
    rating: stars >= 1 && stars <= 5 ? Math.round(stars) : null,
    color_label: labeled ? (labeled.labelColor ?? findLabelColor(labeled.label ?? '')) : null,
  }
  return mark.rating === null && mark.color_label === null ? null : mark
}

const hasLabel = ({ label, labelColor }: XmpMarks): boolean => label !== null || labelColor !== null
