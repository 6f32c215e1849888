import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/**
 * Returns the TypeScript files below a folder as paths from the root of the repository. Files that end in .test.ts or
 * .suite.ts are excluded.
 */
export const sourceFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|suite)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

/** Returns the style sheets of both apps and of the pages without JavaScript, as paths from the root of the repository. */
export const styleSheets = (): string[] =>
  ['web/admin', 'web/assets', 'web/gallery', 'web/shared'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.css'))
      .map((name) => join(folder, name)),
  )

/** Returns all TypeScript files below a folder, also tests, as paths from the root of the repository. */
export const testFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
