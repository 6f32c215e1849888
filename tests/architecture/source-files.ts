import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export const readText = (file: string): string => readFileSync(join(root, file), 'utf8')

const listFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

/**
 * Returns the TypeScript files below a folder as paths from the root of the repository. Files that end in .test.ts or
 * .suite.ts are excluded.
 */
export const sourceFiles = (folder: string): string[] =>
  listFiles(folder).filter((name) => /\.tsx?$/.test(name) && !/\.(test|suite)\.ts$/.test(name))

/** Returns the style sheets of both apps and of the pages without JavaScript, as paths from the root of the repository. */
export const styleSheets = (): string[] =>
  ['web/admin', 'web/assets', 'web/gallery', 'web/shared'].flatMap((folder) =>
    listFiles(folder).filter((name) => name.endsWith('.css')),
  )

/** Returns all TypeScript files below a folder, also tests, as paths from the root of the repository. */
export const testFiles = (folder: string): string[] => listFiles(folder).filter((name) => name.endsWith('.ts'))
