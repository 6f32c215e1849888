let collator: Intl.Collator | undefined

/** Sorts numbers by their value. The first collator of a process takes 10 ms, so it is created when it is used. */
function compareNaturally(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(a, b)
}

/** Systems and programs name copies in these ways, such as `IMG_1 (1).jpg`, `IMG_1 - Kopie (2).jpg` or `Copy of IMG_1.jpg`. */
const copySuffix = /(?:[ _-]+(?:copy|kopie)(?: \d+)?)?(?: ?\(\d+\))?(?=\.[^./]+$)/i
const copyPrefix = /^(?:copy of|kopie von) (?=[^.])/i

const findOriginal = (name: string): string => name.replace(copyPrefix, '').replace(copySuffix, '')

function compareNames(a: string, b: string): number {
  const [originalOfA, originalOfB] = [findOriginal(a), findOriginal(b)]
  return (
    compareNaturally(originalOfA, originalOfB) ||
    Number(a !== originalOfA) - Number(b !== originalOfB) ||
    compareNaturally(a, b)
  )
}

/**
 * Orders files by their paths with `/`: those of a folder before those of its folders, and an original before its
 * copies.
 */
export function comparePaths(a: string, b: string): number {
  const [partsOfA, partsOfB] = [a.split('/'), b.split('/')]
  const level = partsOfA.findIndex((part, index) => part !== partsOfB[index])
  if (level === -1) return partsOfA.length - partsOfB.length
  const isFile = (parts: readonly string[]) => Number(level === parts.length - 1)
  return isFile(partsOfB) - isFile(partsOfA) || compareNames(partsOfA[level] ?? '', partsOfB[level] ?? '')
}

/** If several files have the same content, the first in this order is used. Names of copies are longer in all languages. */
export const compareNameLengths = (a: { name: string }, b: { name: string }): number => a.name.length - b.name.length
