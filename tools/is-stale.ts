/** What is built of sources: when it is outdated, and how it is set in place. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders that are built, which lie among the sources. */
const builtFolders = ['web/built/', 'server/built/'].map((folder) => join(root, folder))

/** Whether one of these files and folders, tests left out, was changed after `builtFile`, or that is missing. */
export function isOutdated(builtFile: string, sources: readonly string[]): boolean {
  const builtAt = changedAt(builtFile)
  return sources.flatMap((source) => filesIn(join(root, source))).some((file) => changedAt(file) > builtAt)
}

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !builtFolders.some((folder) => file.startsWith(folder)))
}
