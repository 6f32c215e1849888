import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isUnfinished } from './replace-file.ts'

export type FolderFile = {
  /** Relative to the folder, with slashes. */
  path: string
  absolutePath: string
  sizeBytes: number
  modifiedAt: number
}

/** Folders of systems and of programs, whose files are no originals. */
const skippedFolders = new Set(['lost+found', '$recycle.bin', 'system volume information', '@eadir', '.trashes'])
const maxDepth = 64

/**
 * Lists all files below a folder, sorted. Leaves out hidden files and folders, and follows no symbolic links. Reports
 * folders that cannot be read. `unfinished` has the absolute paths of files that a killed command has left behind.
 */
export async function walkFolder(
  root: string,
  onUnreadable: (path: string) => void,
): Promise<{ files: FolderFile[]; unfinished: string[] }> {
  const files: FolderFile[] = []
  const unfinished: string[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => null)
    if (entries === null || depth > maxDepth) return onUnreadable(folder || '.')
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isUnfinished(entry.name) && (await isOld(join(root, path)))) unfinished.push(join(root, path))
      if (isSkipped(entry)) continue
      if (entry.isDirectory()) await walk(path, depth + 1)
      else if (entry.isFile()) {
        const absolutePath = join(root, path)
        const found = await stat(absolutePath).catch(() => null)
        if (found) files.push({ path, absolutePath, sizeBytes: found.size, modifiedAt: found.mtimeMs })
      }
    }
  }
  await walk('', 0)
  return { files, unfinished }
}

/** Another command may be writing a newer one. */
const unfinishedAfterMs = 3_600_000

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && found.mtimeMs < Date.now() - unfinishedAfterMs
}

const isSkipped = ({ name }: Dirent): boolean => name.startsWith('.') || skippedFolders.has(name.toLowerCase())
