import { type Dirent, statSync } from 'node:fs'
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { days } from '../time/clock.ts'
import type { StoredFile } from './storage.ts'

const filesAtOnce = 64
const slowMs = 3

/**
 * Leaves out files that are deleted during the listing; other disk errors throw.
 *
 * Reads sizes on this thread while the system has them in memory: 5,000 sizes take 8 ms on this thread, but 50 ms in
 * the thread pool (measured). When 64 sizes take longer than 3 ms, the thread pool reads the rest of the folder.
 */
export async function* listFolder(root: string, prefix: string): AsyncIterable<StoredFile> {
  const entries = await entriesOf(`${root}/${prefix}`)
  const keyOf = ({ name }: { name: string }) => (prefix === '' ? name : `${prefix}/${name}`)
  for (const entry of entries) if (entry.isDirectory()) yield* listFolder(root, keyOf(entry))
  const keys = entries.filter((entry) => !entry.isDirectory()).map(keyOf)
  let isSlow = false
  for (let start = 0; start < keys.length; start += filesAtOnce) {
    const some = keys.slice(start, start + filesAtOnce)
    const sizes: Size[] = isSlow ? [] : sizesFromMemory(root, some)
    isSlow = sizes.length < some.length
    sizes.push(...(await sizesFromDisk(root, some.slice(sizes.length))))
    for (const [index, key] of some.entries()) {
      const file = sizes[index]
      if (file) yield { key, sizeBytes: file.size, modifiedAt: file.mtimeMs }
    }
    if (!isSlow) await setImmediate()
  }
}

type Size = { size: number; mtimeMs: number } | null

function sizesFromMemory(root: string, keys: readonly string[]): Size[] {
  const sizes: Size[] = []
  const end = performance.now() + slowMs
  for (const key of keys) {
    sizes.push(statSync(`${root}/${key}`, { throwIfNoEntry: false }) ?? null)
    if (performance.now() > end) break
  }
  return sizes
}

const sizesFromDisk = (root: string, keys: readonly string[]): Promise<Size[]> =>
  Promise.all(keys.map((key) => stat(`${root}/${key}`).catch(ignoreMissing)))

/** Removes a folder with its content, even while others add files to it, if they stop soon. */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })

const entriesOf = async (path: string): Promise<Dirent[]> =>
  (await readdir(path, { withFileTypes: true }).catch(ignoreMissing)) ?? []

export const foldersIn = async (path: string): Promise<string[]> =>
  (await entriesOf(path)).filter((entry) => entry.isDirectory()).map(({ name }) => name)

/** Removes the folder and its subfolders where they are empty. The system removes no folder that contains files. */
export async function removeEmptyFolders(path: string): Promise<void> {
  for (const name of await foldersIn(path)) await removeEmptyFolders(join(path, name))
  await rmdir(path).catch(ignoreFilledOrMissing)
}

export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

function ignoreMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

function ignoreFilledOrMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') ignoreMissing(error)
}

/** Removes files that are older than `keepDays`. Returns how many files are left. */
export async function removeOlderFiles(
  files: AsyncIterable<StoredFile>,
  keepDays: number,
  remove: (key: string) => Promise<void>,
): Promise<number> {
  let left = 0
  for await (const { key, modifiedAt } of files) {
    if (Date.now() - modifiedAt > days(keepDays)) await remove(key)
    else left++
  }
  return left
}
