import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { isIgnored } from './import-rules.ts'

/** Path segments as bytes, because a file name need not be valid UTF-8. */
export type Segments = readonly Buffer[]

export type LeftOutCause = 'unreadable' | 'too deep'

export type FoundFile = { segments: Segments; stats: Stats }

const slash = Buffer.from('/')
const maxDepth = 16

export const joinPath = (root: Buffer, segments: Segments): Buffer =>
  Buffer.concat([root, ...segments.flatMap((segment) => [slash, segment])])

/**
 * Yields regular files recursively, in at most 16 levels of folders below `root`. Reports folders below them. Skips ignored names, symbolic links,
 * and files that disappear or cannot be accessed.
 */
export async function* listWaitingFiles(
  root: Buffer,
  segments: Segments,
  onLeftOut: (segments: Segments, cause: LeftOutCause) => void,
): AsyncGenerator<FoundFile> {
  for (const entry of await readEntries(root, segments, onLeftOut)) {
    if (isIgnored(entry.name.toString())) continue
    const found = [...segments, entry.name]
    if (entry.isDirectory()) {
      if (found.length <= maxDepth) yield* listWaitingFiles(root, found, onLeftOut)
      else onLeftOut(found, 'too deep')
    }
    if (!entry.isFile()) continue
    const stats = await lstat(joinPath(root, found)).catch(undefinedIfGone)
    if (stats?.isFile()) yield { segments: found, stats }
  }
}

async function readEntries(
  root: Buffer,
  segments: Segments,
  onLeftOut: (segments: Segments, cause: LeftOutCause) => void,
): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(joinPath(root, segments), { encoding: 'buffer', withFileTypes: true })
  } catch (error) {
    if (!isGone(error)) onLeftOut(segments, 'unreadable')
    return []
  }
}

export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')

function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error) && (error as NodeJS.ErrnoException).code !== 'EACCES') throw error
}

export const isUnchangedFile = (path: Buffer, stats: Stats): Promise<boolean> =>
  lstat(path).then(
    (now) => hasSameStats(now, stats),
    () => false,
  )

export const hasSameStats = (now: Stats, then: Stats): boolean =>
  now.isFile() && now.ino === then.ino && now.dev === then.dev && now.size === then.size && now.mtimeMs === then.mtimeMs
