/** Makes text comparable without case, the same on every database: ß equals ss, İ and ı equal i, ς equals σ. */
export const foldCase = (text: string): string =>
  text
    .normalize('NFC')
    // Lower case before upper case: capital ẞ has no other way to ss.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    // Removes the dot that lowercasing İ leaves, and maps the final ς to σ.
    .replace(/i\u0307+/g, 'i')
    .replaceAll('ς', 'σ')
    .normalize('NFC')

/** Removed from names and searches, so a search cannot match across two names. */
const nameSeparator = '\n'

export const createSearchText = (photo: { filename: string; original_filename: string }): string =>
  [photo.filename, photo.original_filename].map((name) => foldCase(removeControlCharacters(name))).join(nameSeparator)

/** Returns '' if nothing is left to search for. */
export const normalizeSearch = (text: string): string => foldCase(removeControlCharacters(text).trim())

const removeControlCharacters = (text: string): string => text.replace(/\p{Cc}/gu, '')

/** Sorts before every character of a name, so that `a.jpg` comes before `a (1).jpg`. */
const extensionSeparator = '\u0001'
const maxSortedNameLength = 400

/** Compared byte by byte the keys give natural order: each number is prefixed with its digit count. */
export function createNameSortKey(name: string): string {
  const folded = foldCase(removeControlCharacters(name))
  const [extension = ''] = /\.[^.]{1,10}$/.exec(folded) ?? []
  const stem = folded.slice(0, folded.length - extension.length)
  const key = [stem, extension].map((part) => part.replace(/\d+/g, formatNumberKey))
  return key.join(extensionSeparator).slice(0, maxSortedNameLength).toWellFormed()
}

function formatNumberKey(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '')
  return String(number.length).padStart(3, '0') + number
}
