import { createInterface } from 'node:readline/promises'
import { Option } from 'commander'
import { type ComparablePhoto, matchNames } from '../receiving/same-names.ts'
import { print, printError, showControls } from './print.ts'

export const sameNameChoices = ['replace', 'add', 'skip'] as const
export type SameNameChoice = (typeof sameNameChoices)[number]

export type SameNameOptions = { sameName?: SameNameChoice }

export const createSameNameOption = (): Option =>
  new Option(
    '--same-name <what>',
    'files with the name of a photo and other content: replace it (hearts and comments stay), add another photo, or skip the file; by default asks on a terminal',
  ).choices(sameNameChoices)

/**
 * `undecided`: left out, because nobody could be asked. `present`: the event has this content. `several`: added, because
 * several photos have the name.
 */
export type FileDecision = { replaces: number } | 'add' | 'skip' | 'undecided' | 'present' | 'several'

type LocalFile = { name: string; path: string; sizeBytes: number; hash: () => Promise<string> }

/**
 * Compares files with the photos of their event. The result has the files with known content, and a decision for those with
 * the name of a photo and other content: by the option, or by questions on the terminal. Without both, they are left out;
 * those whose extension differs from that of the photo are added. Of several files for one photo, the first replaces it, and
 * the others are added. A file that cannot be read is not known.
 */
export async function compareFiles<File extends LocalFile>(
  files: readonly File[],
  photos: readonly ComparablePhoto[],
  { sameName }: SameNameOptions,
): Promise<Map<File, FileDecision>> {
  const decided = new Map<File, FileDecision>()
  const sizes = new Set(photos.map(({ size_bytes }) => Number(size_bytes)))
  const byContent = Map.groupBy(photos, ({ content_hash }) => content_hash)
  /** Photos that are files of this folder already. No other file replaces them, now or at the next run. */
  const unchanged = new Set<number>()
  for (const file of files) {
    const hash = sizes.has(file.sizeBytes) ? await file.hash().catch(() => null) : null
    const known = hash === null ? undefined : byContent.get(hash)
    if (!known) continue
    decided.set(file, 'present')
    for (const { id } of known) unchanged.add(Number(id))
  }
  const changed = files.filter((file) => !decided.has(file))
  const sameNames = matchNames(
    photos,
    changed.map(({ name }) => name),
  )
  for (const file of changed) {
    if (sameNames.get(file.name)?.photo_id === null) decided.set(file, sameName === 'skip' ? 'skip' : 'several')
  }
  const named = changed.flatMap((file) => {
    const { photo_id = null, is_exact = false } = sameNames.get(file.name) ?? {}
    return photo_id === null || unchanged.has(photo_id) ? [] : [{ file, photo_id, is_exact }]
  })
  const replaced = new Set<number>()
  for (const [isExact, situation, usual] of [
    [true, 'the name of a photo and other content', 'undecided'],
    [false, 'the name of a photo of another file type', 'add'],
  ] as const) {
    const group = named.filter(({ is_exact }) => is_exact === isExact)
    if (group.length === 0) continue
    const choice =
      sameName ??
      (process.stdin.isTTY
        ? await ask(
            group.map(({ file }) => file),
            situation,
          )
        : usual)
    for (const { file, photo_id } of group) {
      const isReplaced = choice === 'replace' && !replaced.has(photo_id)
      if (isReplaced) replaced.add(photo_id)
      decided.set(file, isReplaced ? { replaces: photo_id } : choice === 'replace' ? 'add' : choice)
    }
  }
  return decided
}

export const undecidedReason =
  'The event has a photo with this name and other content. Choose with --same-name replace, add or skip.'

const letters: Record<string, SameNameChoice> = { r: 'replace', a: 'add', s: 'skip' }

/** Asks until the answer is clear. The end of the input means `skip`. */
async function ask(files: readonly LocalFile[], situation: string): Promise<SameNameChoice> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('s')))
  const count = files.length === 1 ? '1 file has' : `${files.length} files have`
  try {
    for (;;) {
      const text = `${count} ${situation}. (r)eplace them, which keeps hearts and comments, (a)dd as new, (s)kip, (l)ist? `
      const answer = (await Promise.race([terminal.question(showControls(text)), ended])).trim().toLowerCase()[0] ?? ''
      if (answer === 'l') printError(...files.map(({ path }) => `  ${path}`))
      const choice = letters[answer]
      if (choice) return choice
    }
  } finally {
    terminal.close()
  }
}

/** Prints how many files replaced a photo, were skipped on request, or were added because several photos have their name. */
export function printSameNames({
  replaced,
  skipped,
  several,
}: {
  replaced: number
  skipped: number
  several: number
}): void {
  if (replaced > 0) print(`${replaced} replaced. The earlier files are kept for 30 days.`)
  if (skipped > 0) print(`${skipped} skipped, because the event has a photo with this name.`)
  if (several > 0) print(`${several} added: several photos of the event have this name, so none was replaced.`)
}
