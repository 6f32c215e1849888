import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

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
 * folders that cannot be read.
 */
export async function walkFolder(root: string, onUnreadable: (path: string) => void): Promise<FolderFile[]> {
  const files: FolderFile[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => null)
    if (entries === null || depth > maxDepth) return onUnreadable(folder || '.')
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
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
  return files
}

const isSkipped = ({ name }: Dirent): boolean => name.startsWith('.') || skippedFolders.has(name.toLowerCase())
