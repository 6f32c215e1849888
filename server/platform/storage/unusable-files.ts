import { constants } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { canUse } from '../process/data-owner.ts'

const { R_OK, W_OK, X_OK } = constants

/** Paths. What a folder in `folders` contains is unknown and not listed. */
export type UnusableFiles = { folders: string[]; files: string[] }

/**
 * Returns what this user lacks the rights to in `root`, such as files that the user root has copied there. Without
 * `depth`, checks each file, otherwise only the folders of that many levels. Returns nothing for a missing folder.
 */
export async function findUnusableFiles(root: string, depth = Number.POSITIVE_INFINITY): Promise<UnusableFiles> {
  const found: UnusableFiles = { folders: [], files: [] }
  await search(root, depth, found)
  return found
}

async function search(folder: string, depth: number, found: UnusableFiles): Promise<void> {
  if (!canUse(folder, R_OK | W_OK | X_OK)) {
    found.folders.push(folder)
    return
  }
  if (depth === 0) return
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await search(path, depth - 1, found)
    else if (depth === Number.POSITIVE_INFINITY && !canUse(path, R_OK)) found.files.push(path)
  }
}
