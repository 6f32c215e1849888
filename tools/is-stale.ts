import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export const builtFolders = ['server/built', 'web/built']

/** Returns whether `builtFile` is missing or older than one of the sources. Test files do not count. */
export function isStale(builtFile: string, sources: readonly string[]): boolean {
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
    .filter((file) => !builtFolders.some((folder) => file.startsWith(join(root, folder, '/'))))
}
