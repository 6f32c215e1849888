import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/** With all that is in it. What others write there meanwhile goes too, as long as they come to an end soon. */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })

/** The names of the folders right below one; none where it is missing. */
export async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(unlessMissing)
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** From the deepest one up to itself. No file is ever removed: the disk refuses a folder that holds one. */
export async function removeEmptyFolders(path: string): Promise<void> {
  for (const name of await foldersIn(path)) await removeEmptyFolders(join(path, name))
  await rmdir(path).catch(unlessFilledOrMissing)
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

function unlessFilledOrMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') unlessMissing(error)
}
