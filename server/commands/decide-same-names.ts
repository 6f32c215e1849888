import { createInterface } from 'node:readline/promises'
import { Option } from 'commander'
import { captureTimeBytes, readCaptureTime } from '../../contract/files/capture-times.ts'
import { findReplaceable, type SameNameKind } from '../../contract/files/find-replaceable.ts'
import { compareNameLengths } from '../../contract/files/path-order.ts'
import type { MessageKey } from '../../locales/catalogs.ts'
import { t } from '../platform/text/command-messages.ts'
import { type Comparable, matchNames } from '../receiving/match-photo-names.ts'
import { CommandRejected } from './command-errors.ts'
import { print, printError, showControls } from './print.ts'

export const sameNameChoices = ['replace', 'version', 'add', 'skip'] as const
export type SameNameChoice = (typeof sameNameChoices)[number]

export type SameNameOptions = { sameName?: SameNameChoice }

export const createSameNameOption = (): Option =>
  new Option('--same-name <what>', 'help_sameName').choices(sameNameChoices)

/** Throws CommandRejected if the option adds versions and the event does not keep them. */
export function assertCanVersion(
  event: { slug: string; keep_versions: number | boolean },
  { sameName }: SameNameOptions,
): void {
  if (sameName === 'version' && !event.keep_versions)
    throw new CommandRejected(t('keepsNoVersions', { slug: event.slug }))
}

/**
 * `undecided`: left out, because there was no terminal to ask on. `present`: the event has this content. `earlier`:
 * left out, because its photo had this content before it was replaced. `otherTime` and `several`: added, because the
 * photo with the name was taken at another time, or several photos have the name.
 */
export type FileDecision =
  | { replaces: number }
  | 'add'
  | 'skip'
  | 'undecided'
  | 'present'
  | 'earlier'
  | 'otherTime'
  | 'several'

type LocalFile = {
  name: string
  path: string
  sizeBytes: number
  hash: () => Promise<string>
  /** Returns epoch milliseconds, or null. */
  capturedAt: () => Promise<number | null>
}

type Question = {
  kind: SameNameKind
  situation: MessageKey<'commands'>
  /** Without an option and a terminal. */
  usual: FileDecision
  /** With the options `replace` and `version`. */
  insteadOfReplace?: FileDecision
  /** With any option. */
  always?: FileDecision
}
const questions: Question[] = [
  { kind: 'sameName', situation: 'haveSameName', usual: 'undecided' },
  { kind: 'similarName', situation: 'haveSimilarName', usual: 'add' },
  {
    kind: 'otherTime',
    situation: 'haveOtherTime',
    usual: 'undecided',
    insteadOfReplace: 'otherTime',
  },
  {
    kind: 'severalNames',
    situation: 'haveSeveralNames',
    usual: 'undecided',
    insteadOfReplace: 'several',
  },
  {
    kind: 'earlier',
    situation: 'haveEarlier',
    usual: 'earlier',
    always: 'earlier',
  },
]

/**
 * Compares files with the photos of their event. The result has the files with known content, and a decision for those
 * with the name of a photo and other content: by the option, or by questions on the terminal. Without both, they are
 * left out, except those whose extension differs from that of the photo, which are added. The option never replaces a
 * photo that was taken at another time, or by a file that it had before. If there are several files for one photo, the
 * first replaces it, and the others are added. A file that cannot be read counts as unknown. With `keepsVersions`, a file
 * that replaces a photo is its next version.
 */
export async function compareFiles<File extends LocalFile>(
  files: readonly File[],
  { photos, earlier }: Comparable,
  { sameName, keepsVersions = false }: SameNameOptions & { keepsVersions?: boolean },
): Promise<Map<File, FileDecision>> {
  const decided = new Map<File, FileDecision>()
  const sizes = new Set([...photos, ...earlier].map(({ size_bytes }) => Number(size_bytes)))
  const byContent = Map.groupBy(photos, ({ content_hash }) => content_hash)
  const earlierContents = new Map(earlier.map(({ content_hash, id }) => [content_hash, Number(id)]))
  const named: Array<{ file: File; kind: SameNameKind; photoId: number | null }> = []
  /** Photos that are files of this folder already. No other file replaces them, now or at the next run. */
  const unchanged = new Set<number>()
  for (const file of files) {
    const hash = sizes.has(file.sizeBytes) ? await file.hash().catch(() => null) : null
    if (hash === null) continue
    const known = byContent.get(hash)
    const photoId = earlierContents.get(hash)
    if (known) {
      decided.set(file, 'present')
      for (const { id } of known) unchanged.add(Number(id))
    } else if (photoId !== undefined) named.push({ file, kind: 'earlier', photoId })
  }
  const compared = new Set([...decided.keys(), ...named.map(({ file }) => file)])
  const changed = files.filter((file) => !compared.has(file))
  const sameNames = matchNames(
    photos,
    changed.map(({ name }) => name),
  )
  for (const file of changed) {
    const found = sameNames.get(file.name)
    if (!found) continue
    const replaceable = findReplaceable(found, await file.capturedAt().catch(() => null))
    if (!unchanged.has(replaceable.photoId ?? 0)) named.push({ file, ...replaceable })
  }
  const replaced = new Set<number>()
  for (const { kind, situation, usual, insteadOfReplace = 'replace', always } of questions) {
    const group = named.filter((one) => one.kind === kind)
    if (group.length === 0) continue
    const files = group.map(({ file }) => file)
    const replace = kind === 'severalNames' ? null : keepsVersions ? 'version' : 'replace'
    const asked = () => (process.stdin.isTTY ? ask(files, t(situation, { count: files.length }), replace) : usual)
    const byOption = sameName === 'replace' || sameName === 'version' ? insteadOfReplace : sameName
    const choice = byOption === undefined ? await asked() : (always ?? byOption)
    for (const { file, photoId } of group) {
      if (choice !== 'replace' && choice !== 'version') decided.set(file, choice)
      else if (photoId === null || replaced.has(photoId)) decided.set(file, 'add')
      else {
        decided.set(file, { replaces: photoId })
        replaced.add(photoId)
      }
    }
  }
  return decided
}

/** Returns the files that have the content of one with a shorter name, or before them. Reads only files of equal sizes. */
export async function findRepeated<File extends LocalFile>(files: readonly File[]): Promise<Set<File>> {
  const repeated = new Set<File>()
  for (const group of Map.groupBy(files, ({ sizeBytes }) => sizeBytes).values()) {
    if (group.length === 1) continue
    const contents = new Set<string>()
    for (const file of group.sort(compareNameLengths)) {
      const hash = await file.hash().catch(() => null)
      if (hash === null) continue
      if (contents.has(hash)) repeated.add(file)
      contents.add(hash)
    }
  }
  return repeated
}

/** Returns epoch milliseconds, or null. Reads no more of the file than it needs. */
export async function readTimeOf(file: AsyncIterable<Buffer>): Promise<number | null> {
  let start = Buffer.alloc(0)
  for await (const chunk of file) {
    start = Buffer.concat([start, chunk])
    if (start.length >= captureTimeBytes) break
  }
  return readCaptureTime(start.subarray(0, captureTimeBytes))
}

const questionTexts = {
  replace: ['askReplaceAddSkip', 'lettersReplaceAddSkipList'],
  version: ['askVersionAddSkip', 'lettersVersionAddSkipList'],
  add: ['askAddSkip', 'lettersReplaceAddSkipList'],
} as const

/** Asks until the answer is clear. The end of the input means `skip`. */
async function ask(
  files: readonly LocalFile[],
  situation: string,
  replacing: 'replace' | 'version' | null,
): Promise<SameNameChoice> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const [question, letters] = questionTexts[replacing ?? 'add']
  const [first = '', add = '', skip = '', list = ''] = t(letters)
  const choices: Record<string, SameNameChoice> = { [add]: 'add', [skip]: 'skip' }
  if (replacing) choices[first] = replacing
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve(skip)))
  try {
    for (;;) {
      const text = `${t(question, { situation })} `
      const answer = (await Promise.race([terminal.question(showControls(text)), ended])).trim().toLowerCase()[0] ?? ''
      if (answer === list) printError(...files.map(({ path }) => `  ${path}`))
      const choice = choices[answer]
      if (choice) return choice
    }
  } finally {
    terminal.close()
  }
}

/**
 * How many files replaced a photo, are the next version of a photo, were skipped on request, or were added although the
 * option was `replace` or `version`.
 */
export type SameNameCounts = Record<'replaced' | 'versions' | 'skipped' | 'earlier' | 'otherTime' | 'several', number>

export function printSameNames({ replaced, versions, skipped, earlier, otherTime, several }: SameNameCounts): void {
  if (replaced > 0) print(t('replaced', { count: replaced }))
  if (versions > 0) print(t('versionsAdded', { count: versions }))
  if (skipped > 0) print(t('skipped', { count: skipped }))
  if (earlier > 0) print(t('leftOutEarlier', { count: earlier }))
  if (otherTime > 0) print(t('addedOtherTime', { count: otherTime }))
  if (several > 0) print(t('addedSeveral', { count: several }))
}
