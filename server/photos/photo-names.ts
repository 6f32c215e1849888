/**
 * Text as it is compared wherever case must not count, the same on every database: ß is ss, İ and ı are i, ς is σ, and a
 * letter with its accent is one character however it was typed. Accents themselves count.
 */
export const foldCase = (text: string): string =>
  text
    .normalize('NFC')
    // Lower case ahead of upper case, since capital ẞ has no other way to ss.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    // What capital İ leaves behind, and the σ that ends a word.
    .replace(/i\u0307+/g, 'i')
    .replaceAll('ς', 'σ')
    .normalize('NFC')

/** Neither side may hold it, so that nothing is found across two names. */
const betweenNames = '\n'

/** What a search looks through: the stored name and the client's. */
export const searchTextOf = (photo: { filename: string; original_filename: string }): string =>
  [photo.filename, photo.original_filename].map((name) => foldCase(withoutControls(name))).join(betweenNames)

/** What is looked for in `searchTextOf`; empty where nothing is left of it. */
export const searchedText = (text: string): string => foldCase(withoutControls(text).trim())

const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, '')

/** Sorts ahead of all that a name may hold, so that `a.jpg` stands before `a (1).jpg`. */
const beforeExtension = '\u0001'
const maxSortedNameLength = 400

/**
 * Compared byte by byte, gives the natural order of names: case does not count, numbers count as numbers, `IMG_2`
 * before `IMG_10`. Each number is written after how many digits it has.
 */
export function nameSortOf(name: string): string {
  const folded = foldCase(withoutControls(name))
  const [extension = ''] = /\.[^.]{1,10}$/.exec(folded) ?? []
  const stem = folded.slice(0, folded.length - extension.length)
  const key = [stem, extension].map((part) => part.replace(/\d+/g, numberKey))
  return key.join(beforeExtension).slice(0, maxSortedNameLength).toWellFormed()
}

function numberKey(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '')
  return String(number.length).padStart(3, '0') + number
}
