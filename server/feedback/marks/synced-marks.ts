import { colorLabels } from '../../../contract/color-labels.ts'
import type { OwnMark } from './mark-rules.ts'

/**
 * Formats the marks of guests that `proofroom sync` has written into a file, such as `5 green` or `- red`. Without
 * marks, the text is empty.
 */
export const formatSyncedMarks = ({ rating, color_label: color }: OwnMark): string =>
  rating === null && color === null ? '' : `${rating ?? '-'} ${color ?? '-'}`

/** Reads what `formatSyncedMarks` has formatted. Any other text has no marks. */
export function parseSyncedMarks(text: string | null): OwnMark {
  const [, stars, name] = /^([1-5]|-) ([a-z]+|-)$/.exec(text ?? '') ?? []
  const rating = stars === undefined || stars === '-' ? null : Number(stars)
  return { rating, color_label: colorLabels.find((color) => color === name) ?? null }
}
