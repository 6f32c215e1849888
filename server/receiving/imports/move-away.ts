import type { Stats } from 'node:fs'
import { lstat, rename, writeFile } from 'node:fs/promises'
import { type OpenFolder, UnsafeFile, withParentFolder } from '../../platform/storage/untrusted-files.ts'
import { candidateNames } from './import-rules.ts'
import type { Destination, MoveOutcome } from './import-source.ts'
import { isGone, isUnchangedFile, type Segments } from './list-waiting-files.ts'

type ListedFile = { root: Buffer; segments: Segments; stats: Stats }

/** Never overwrites or copies a file, and follows no symbolic link. A file that cannot be renamed stays. */
export async function moveAway({ root, segments, stats }: ListedFile, to: Destination): Promise<MoveOutcome> {
  const target = { root, path: [Buffer.from(to === 'imported' ? '.imported' : '.refused'), ...segments] }
  try {
    return await withParentFolder({ root, path: segments }, async (source, name) => {
      const from = source.at(name)
      if (!(await isUnchangedFile(from, stats))) return 'changed'
      try {
        return await withParentFolder(target, (folder) => moveFile(from, stats, folder, name, to), { creates: true })
      } catch (error) {
        if (!(await isUnchangedFile(from, stats))) return 'changed'
        if (error instanceof UnsafeFile || isUnmovable(error)) return 'kept'
        throw error
      }
    })
  } catch (error) {
    if (error instanceof UnsafeFile || isGone(error) || isUnmovable(error)) return 'changed'
    throw error
  }
}

const unmovableCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'EXDEV', 'EEXIST', 'ENOTDIR', 'ENAMETOOLONG'])

const isUnmovable = (error: unknown): boolean => unmovableCodes.has((error as NodeJS.ErrnoException).code ?? '')

async function moveFile(
  from: Buffer,
  stats: Stats,
  folder: OpenFolder,
  name: string | Buffer,
  to: Destination,
): Promise<MoveOutcome> {
  const target = await findFreePath(folder, name)
  await rename(from, target)
  if (!(await isUnchangedFile(target, stats))) return await restoreReplacedFile(target, from)
  if (to !== 'imported') await writeReason(target, to.rejectionReason)
  return 'moved'
}

/** The file at `target` replaced the listed file just before the rename. Moves it back, unless `from` exists again. */
async function restoreReplacedFile(target: Buffer, from: Buffer): Promise<MoveOutcome> {
  const isFree = await lstat(from).then(() => false, isGone)
  if (isFree) await rename(target, from)
  return 'changed'
}

async function findFreePath(folder: OpenFolder, name: string | Buffer): Promise<Buffer> {
  // latin1 preserves the bytes of names that are not valid UTF-8.
  for (const candidate of candidateNames(Buffer.from(name).toString('latin1'))) {
    const path = folder.at(Buffer.from(candidate, 'latin1'))
    if (await lstat(path).then(() => false, isGone)) return path
  }
  throw new Error('No name is free')
}

const maxNameBytes = 250

/** A failed write is ignored, because the reason is also in the log and on the health page. */
async function writeReason(target: Buffer, sentence: string): Promise<void> {
  const cut = target.lastIndexOf('/') + 1 + maxNameBytes
  const path = Buffer.concat([target.subarray(0, cut), Buffer.from('.txt')])
  await writeFile(path, `${sentence}\n`, { flag: 'wx' }).catch(() => undefined)
}
