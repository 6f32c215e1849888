import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { isSidecar } from '../../contract/files/pair-sidecars.ts'
import { withFolder } from '../platform/storage/untrusted-files.ts'
import { isUnfinished } from './sync/replace-file.ts'

export type FolderFile = {
  /** The absolute path of the folder. */
  root: string
  /** Relative to the folder, with slashes. */
  path: string
  sizeBytes: number
  modifiedAt: number
}

/** Folders of systems and programs, whose files are not originals. */
const skippedFolders = new Set(['lost+found', '$recycle.bin', 'system volume information', '@eadir', '.trashes'])
const maxDepth = 64

export type LeftOut = { path: string; cause: 'unreadable' | 'too deep' }

/**
 * Lists all files below a folder, sorted. Leaves out hidden files and folders, and everything that is not a regular
 * file. Sidecars are listed in any case, so that links and pipes are reported when they are read. Reports folders that
 * cannot be read, and those below 64 others, whose path is shortened. `unfinished` has files that a killed command has
 * left behind.
 */
export async function walkFolder(
  root: string,
  onLeftOut: (folder: LeftOut) => void,
): Promise<{ files: FolderFile[]; unfinished: FolderFile[] }> {
  const files: FolderFile[] = []
  const unfinished: FolderFile[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    if (depth > maxDepth) return onLeftOut({ path: shorten(folder), cause: 'too deep' })
    const entries = await listEntries(root, folder).catch(() => null)
    if (entries === null) return onLeftOut({ path: folder || '.', cause: 'unreadable' })
    for (const { entry, file } of entries) {
      if (isUnfinished(entry.name)) {
        if (file.modifiedAt < Date.now() - unfinishedAfterMs) unfinished.push(file)
      } else if (isSkipped(entry)) continue
      else if (entry.isDirectory()) await walk(file.path, depth + 1)
      else if (entry.isFile() || isSidecar(file)) files.push(file)
    }
  }
  await walk('', 0)
  return { files, unfinished }
}

const shorten = (path: string): string =>
  path.length <= 120 ? path : `${path.slice(0, 60)}…${path.slice(-60)}`.toWellFormed()

/** Another command may be writing a newer one. */
const unfinishedAfterMs = 3_600_000

type Listed = { entry: Dirent; file: FolderFile }

const listEntries = (root: string, path: string): Promise<Listed[]> =>
  withFolder({ root, path }, async (folder) => {
    const listed: Listed[] = []
    const entries = await readdir(folder.path, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const found = await lstat(folder.at(entry.name)).catch(() => null)
      if (found === null) continue
      const file = { root, path: path === '' ? entry.name : `${path}/${entry.name}` }
      listed.push({ entry, file: { ...file, sizeBytes: found.size, modifiedAt: found.mtimeMs } })
    }
    return listed
  })

const isSkipped = ({ name }: Dirent): boolean => name.startsWith('.') || skippedFolders.has(name.toLowerCase())
