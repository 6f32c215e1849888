import type { ColorLabel } from '../../../contract/color-labels.ts'
import type { XmpMarks } from '../../platform/xmp/read-xmp.ts'
import { findLabelColor } from './label-names.ts'
import type { OwnMark } from './mark-rules.ts'
import { parseSyncedMarks } from './synced-marks.ts'

/**
 * Returns the marks that a photographer has given a file in another program. Null if there is none. A sidecar has
 * priority over the marks that are embedded in the file. A rejected photo (-1) has no rating. Marks of guests that a
 * sync has written into the file are not those of the photographer.
 */
export function toCullingMarks(embedded: XmpMarks | null, sidecar: XmpMarks | null): OwnMark | null {
  const rated = sidecar && sidecar.rating !== null ? sidecar : embedded
  const labeled = sidecar && hasLabel(sidecar) ? sidecar : embedded
  const mark = { rating: rated && toRating(rated), color_label: labeled && toColor(labeled) }
  return mark.rating === null && mark.color_label === null ? null : mark
}

function toRating({ rating, synced }: XmpMarks): number | null {
  const stars = rating !== null && rating >= 1 && rating <= 5 ? Math.round(rating) : null
  return stars === parseSyncedMarks(synced).rating ? null : stars
}

function toColor({ label, labelColor, synced }: XmpMarks): ColorLabel | null {
  const color = labelColor ?? findLabelColor(label ?? '')
  return color === parseSyncedMarks(synced).color_label ? null : color
}

const hasLabel = ({ label, labelColor }: XmpMarks): boolean => label !== null || labelColor !== null
