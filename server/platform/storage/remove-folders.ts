import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes a folder with its content, also with files that others are still adding, if they stop soon. */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })

export async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(ignoreMissing)
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Never removes a file, because the disk rejects removing a folder with files. */
export async function removeEmptyFolders(path: string): Promise<void> {
  for (const name of await foldersIn(path)) await removeEmptyFolders(join(path, name))
  await rmdir(path).catch(ignoreFilledOrMissing)
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

function ignoreFilledOrMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') ignoreMissing(error)
}
