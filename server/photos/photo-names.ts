import { normalizeText } from '../platform/text/normalize-text.ts'

/** Returns equal text for names that differ only in case: ß equals ss, İ and ı equal i, ς equals σ. */
export const foldCase = (text: string): string =>
  normalizeText(
    normalizeText(text)
      // Lower case first: ẞ becomes ß, and only ß becomes SS in upper case.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // In lower case, İ leaves a combining dot. The final ς must equal σ.
      .replace(/i\u0307+/g, 'i')
      .replaceAll('ς', 'σ'),
  )

/** `removeControlCharacters` removes it from names and searches, so that no search matches across two names. */
const nameSeparator = '\n'

export const createSearchText = (photo: { filename: string; original_filename: string }): string =>
  [photo.filename, photo.original_filename].map((name) => foldCase(removeControlCharacters(name))).join(nameSeparator)

/** Returns an empty text if there is nothing to search for. */
export const normalizeSearch = (text: string): string => foldCase(removeControlCharacters(text).trim())

const removeControlCharacters = (text: string): string => text.replace(/\p{Cc}/gu, '')

/** Sorts before every character of a name, so that `a.jpg` comes before `a (1).jpg`. */
const extensionSeparator = '\u0001'
const maxSortedNameLength = 400

/** Returns a key whose byte order is the natural order of names: each number is prefixed with its digit count. */
export function createNameSortKey(name: string): string {
  const folded = foldCase(removeControlCharacters(name))
  const [extension = ''] = /\.[^.]{1,10}$/.exec(folded) ?? []
  const stem = folded.slice(0, folded.length - extension.length)
  const key = [stem, extension].map((part) => part.replace(/\d+/g, formatNumberKey))
  return key.join(extensionSeparator).slice(0, maxSortedNameLength).toWellFormed()
}

/** Returns the part of a sort key before the extension. */
export const getSortedStem = (key: string): string => key.split(extensionSeparator, 1)[0] ?? ''

function formatNumberKey(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '')
  return String(number.length).padStart(3, '0') + number
}
