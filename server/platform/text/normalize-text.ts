/** More than any language or emoji needs. */
const maxMarksInRow = 30

/** U+FF9E and U+FF9F are not combining marks, but the forms NFKC and NFKD make them into some. */
const mark = '[\\p{M}\\uff9e\\uff9f]'
// Both match only from the first mark in a row, so that no mark is read again from the next one.
const tooManyMarks = new RegExp(`(?<!${mark})${mark}{${maxMarksInRow + 1}}`, 'u')
const excessMarks = new RegExp(`(?<!${mark})(${mark}{${maxMarksInRow}})${mark}+`, 'gu')

/** Returns whether more than 30 combining marks are in a row. */
export const hasTooManyMarks = (text: string): boolean => tooManyMarks.test(text)

export const removeExcessMarks = (text: string): string => text.replace(excessMarks, '$1')

/**
 * Returns text in a normalization form of Unicode, without the combining marks after the 30th in a row. The algorithm of
 * Unicode sorts the marks in a row, and its time grows with the square of their number.
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string =>
  removeExcessMarks(text).normalize(form)
