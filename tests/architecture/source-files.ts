import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Returns the TypeScript files below a folder, except tests, as paths from the root of the repository. */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|suite)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
