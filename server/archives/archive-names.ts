import { must } from '../../contract/must.ts'
import { normalizeText } from '../platform/text/normalize-text.ts'

/** The longest file name in common file systems. */
const maxBytes = 255
/** Leaves room for a number that makes the name unique. */
const maxCleanBytes = 240

const isPlain = (name: string): boolean => /^\w[\w -]{0,100}\.\w{1,8}$/.test(name)
/** Control characters, line separators, bidirectional marks and the replacement character. */
const invalidCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu
const windowsReserved = /[<>:"|?*]/g
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i

export type ArchivedName = { name: string; folder: { id: number; name: string } | null }

/**
 * Returns names that all systems can unpack into one folder. If names are equal (ignoring case), all but the first get
 * `_1`, `_2` …
 */
export function createArchiveNames(originals: readonly string[]): string[] {
  const names = originals.map(safeName)
  const keys = names.map(toCollisionKey)
  const usedKeys = new Set<string>()
  const isFirst = keys.map((key) => {
    const isFree = !usedKeys.has(key)
    usedKeys.add(key)
    return isFree
  })
  const lastNumbers = new Map<string, number>()
  return names.map((name, index) => {
    if (isFirst[index]) return name
    const key = keys[index] ?? ''
    for (let number = (lastNumbers.get(key) ?? 0) + 1; ; number++) {
      const numbered = addNumber(name, number)
      const numberedKey = toCollisionKey(numbered)
      if (usedKeys.has(numberedKey)) continue
      usedKeys.add(numberedKey)
      lastNumbers.set(key, number)
      return numbered
    }
  })
}

/**
 * Returns the paths of files, of which some are in a folder. Names are unique in their folder. Folders with different
 * `id` have different names. No file outside of the folders has a name that is in `reserved`.
 */
export function createArchivePaths(files: readonly ArchivedName[], reserved: readonly string[] = []): string[] {
  const folders = new Map(files.flatMap(({ folder }) => (folder ? [[folder.id, folder.name]] : [])))
  const rootNames = files.flatMap(({ name, folder }) => (folder ? [] : [name]))
  const folderNames = [...folders.values()].map((name) => name.replaceAll(/[/\\]+/g, '-'))
  const safeNames = createArchiveNames([...reserved, ...folderNames, ...rootNames]).slice(reserved.length)
  const folderPaths = new Map([...folders.keys()].map((id, index) => [id, safeNames[index]]))
  const names = new Map([[null as number | null, safeNames.slice(folders.size).values()]])
  for (const [id, members] of Map.groupBy(files, ({ folder }) => folder?.id ?? null)) {
    if (id !== null) names.set(id, createArchiveNames(members.map(({ name }) => name)).values())
  }
  return files.map(({ folder }) => {
    const name = must(names.get(folder?.id ?? null)?.next().value, 'a name in the archive')
    return folder ? `${folderPaths.get(folder.id)}/${name}` : name
  })
}

/** Returns a plain file name: not hidden, not a device name and without a path. */
function safeName(original: string): string {
  if (isPlain(original) && !deviceName.test(original)) return original
  const allowed = (original.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .replace(invalidCharacters, '')
    .replace(windowsReserved, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const clean = normalizeText(allowed)
  if (clean === '') return 'photo'
  const name = deviceName.test(clean) ? `_${clean}` : clean
  const { stem, extension } = split(name)
  const short = truncateToBytes(stem, maxCleanBytes - Buffer.byteLength(extension))
  return short === stem ? name : short.replace(/[\s.]+$/, '') + extension
}

function addNumber(name: string, number: number): string {
  const { stem, extension } = split(name)
  const suffix = `_${number}${extension}`
  return truncateToBytes(stem, maxBytes - Buffer.byteLength(suffix)) + suffix
}

/** A name whose only period is its first character has no extension. */
function split(name: string): { stem: string; extension: string } {
  const [extension = ''] = /(?<=.)\.[^.\s]{1,16}$/u.exec(name) ?? []
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** Returns the longest prefix of at most `maxLength` bytes that does not split a character. */
function truncateToBytes(text: string, maxLength: number): string {
  if (Buffer.byteLength(text) <= maxLength) return text
  const bytes = Buffer.from(text)
  let end = maxLength
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

const isAscii = (name: string): boolean => /^[ -~]*$/.test(name)

/** Returns equal keys for names that collide in a folder on Windows or macOS. */
const toCollisionKey = (name: string): string =>
  isAscii(name) ? name.toLowerCase() : normalizeText(normalizeText(name).toUpperCase().toLowerCase())
