import type { Stats } from 'node:fs'
import { lstat, mkdir, realpath, rename, writeFile } from 'node:fs/promises'
import { must } from '../../contract/must.ts'
import { candidateNames } from './import-rules.ts'
import type { Destination, MoveOutcome } from './import-source.ts'
import { isGone, isUnchangedFile, joinPath, type Segments } from './list-waiting-files.ts'

type ListedFile = { root: Buffer; segments: Segments; stats: Stats }

/** Never overwrites or copies a file. A file that cannot be renamed stays. */
export async function moveAway({ root, segments, stats }: ListedFile, to: Destination): Promise<MoveOutcome> {
  const from = joinPath(root, segments)
  if (!(await isUnchangedFile(from, stats))) return 'changed'
  const folder = [Buffer.from(to === 'imported' ? '.imported' : '.refused'), ...segments.slice(0, -1)]
  try {
    await makeFolder(root, folder)
    const target = await findFreePath(root, folder, must(segments.at(-1), 'a file name'))
    await rename(from, target)
    if (!(await isUnchangedFile(target, stats))) return await restoreReplacedFile(target, from)
    if (to !== 'imported') await writeReason(target, to.rejectionReason)
    return 'moved'
  } catch (error) {
    if (!(await isUnchangedFile(from, stats))) return 'changed'
    if (unmovableCodes.has((error as NodeJS.ErrnoException).code ?? '')) return 'kept'
    throw error
  }
}

const unmovableCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'EXDEV', 'EEXIST', 'ENOTDIR', 'ENAMETOOLONG'])

/** The file at `target` replaced the listed file just before the rename. Moves it back, unless `from` exists again. */
async function restoreReplacedFile(target: Buffer, from: Buffer): Promise<MoveOutcome> {
  const isFree = await lstat(from).then(() => false, isGone)
  if (isFree) await rename(target, from)
  return 'changed'
}

/** Rejects symbolic links, so that files cannot be moved out of the import folder. */
async function makeFolder(root: Buffer, folder: Segments): Promise<void> {
  const path = joinPath(root, folder)
  await mkdir(path, { recursive: true })
  const expected = joinPath(await realpath(root, { encoding: 'buffer' }), folder)
  if (expected.equals(await realpath(path, { encoding: 'buffer' }))) return
  throw Object.assign(new Error('A symbolic link has replaced an import folder'), { code: 'EPERM' })
}

async function findFreePath(root: Buffer, folder: Segments, name: Buffer): Promise<Buffer> {
  // latin1 preserves the bytes of names that are not valid UTF-8.
  for (const candidate of candidateNames(name.toString('latin1'))) {
    const path = joinPath(root, [...folder, Buffer.from(candidate, 'latin1')])
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
