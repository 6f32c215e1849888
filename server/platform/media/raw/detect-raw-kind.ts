import type { ReadAt } from '../read-at.ts'
import { type RawDirectory, rawTags, readDirectories } from './raw-directories.ts'
import { limitReads, type RawSource } from './raw-source.ts'

export const rawKinds = ['cr2', 'cr3', 'nef', 'arw', 'raf', 'orf', 'rw2', 'dng', 'pef'] as const
export type RawKind = (typeof rawKinds)[number]

export const isRawKind = (kind: string): kind is RawKind => (rawKinds as readonly string[]).includes(kind)

const starts: ReadonlyArray<[start: string, kind: RawKind]> = [
  ['FUJIFILMCCD-RAW', 'raf'],
  ['IIRO', 'orf'],
  ['IIRS', 'orf'],
  ['MMOR', 'orf'],
  ['IIU\0', 'rw2'],
]
const makers: ReadonlyArray<[name: RegExp, kind: RawKind]> = [
  [/^NIKON/i, 'nef'],
  [/^SONY/i, 'arw'],
  [/^(PENTAX|RICOH)/i, 'pef'],
]
const maxNameBytes = 64

/**
 * Returns the kind of a camera's raw file by its content, or null for anything else, such as a TIFF that a program has
 * exported. Reads at most 1 MiB. Throws only the errors of `read`.
 */
export async function detectRawKind(read: ReadAt, sizeBytes: number): Promise<RawKind | null> {
  const source = limitReads(read, sizeBytes)
  const start = (await source.read(0, 16)).toString('latin1')
  const [, kind] = starts.find(([known]) => start.startsWith(known)) ?? []
  if (kind) return kind
  if (start.slice(4, 12) === 'ftypcrx ') return 'cr3'
  if (!start.startsWith('II*\0') && !start.startsWith('MM\0*')) return null
  return start.slice(8, 10) === 'CR' ? 'cr2' : detectTiffKind(source)
}

async function detectTiffKind(source: RawSource): Promise<RawKind | null> {
  const { directories } = await readDirectories(source, { at: 0, length: source.sizeBytes })
  const [main] = directories
  if (!main) return null
  if (main.entry(rawTags.dngVersion)) return 'dng'
  if (!directories.some((directory) => directory.hasSensorPixels())) return null
  const name = await readMaker(source, main)
  const [, kind] = makers.find(([known]) => known.test(name)) ?? []
  return kind ?? null
}

async function readMaker(source: RawSource, main: RawDirectory): Promise<string> {
  const { at, length } = main.entry(rawTags.make)?.value ?? { at: 0, length: 0 }
  return (await source.read(at, Math.min(length, maxNameBytes))).toString('latin1').trim()
}
