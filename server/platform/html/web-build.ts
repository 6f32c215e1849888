import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Typeface } from '../../../contract/themes.ts'

export const builtFolder = fileURLToPath(new URL('../../../web/built', import.meta.url))
export const builtPath = '/built/'

export type BuiltScript = { src: string; preloads: string[]; styles: string[] }

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** Each app is a separate build. The manifests are read once, so a new build needs a restart. */
const apps = {
  'gallery/start.tsx': { folder: '', manifest: readBuilt<Manifest>('manifest.json') },
  'admin/start.tsx': { folder: 'admin/', manifest: readBuilt<Manifest>('admin/manifest.json') },
}

export const isBuilt = apps['gallery/start.tsx'].manifest !== null

/** Returns null when the web app is not built; pages then have no script. */
export function findBuiltScript(entry: keyof typeof apps): BuiltScript | null {
  const { folder, manifest } = apps[entry]
  const chunk = manifest?.[entry]
  if (!manifest || !chunk) return null
  const imported = [...new Set(collectImports(manifest, entry))].flatMap((name) => manifest[name] ?? [])
  const address = (file: string) => builtPath + folder + file
  return {
    src: address(chunk.file),
    preloads: imported.map(({ file }) => address(file)),
    styles: [chunk, ...imported].flatMap(({ css = [] }) => css.map(address)),
  }
}

const collectImports = (manifest: Manifest, name: string): string[] =>
  (manifest[name]?.imports ?? []).flatMap((imported) => [imported, ...collectImports(manifest, imported)])

/** Returns the address of a style sheet in the folder of the web apps, or null when they are not built. */
export function findBuiltStyle(name: string): string | null {
  const file = apps['gallery/start.tsx'].manifest?.[name]?.file
  return file ? builtPath + file : null
}

/** Letters of titles, and the file of the fonts that has them (`web/typefaces.ts`). */
const titleLetters: ReadonlyArray<[RegExp, string]> = [
  [/\p{Script=Cyrillic}/u, 'cyrillic'],
  [/\p{Script=Greek}/u, 'greek'],
  [/[Ā-İĲ-őŔ-ſȘ-țẞ]/, 'latin-ext'],
  [/[À-ÃÅ-ÈÊ-ÕØ-ÛÝÞãåæëìî-ðòõøùûý-ÿıŒœ]/, 'latin-1'],
]

/** Returns the addresses of the style sheets of a title and of texts. `text` is null if they have the font of titles. */
export function findTypeface(typeface: Typeface, title: string): { title: string; text: string | null } | null {
  const slice = titleLetters.find(([letters]) => letters.test(title))?.[1] ?? 'latin'
  const style = findBuiltStyle(`typefaces/${typeface}-title-${slice}.css`)
  return style ? { title: style, text: findBuiltStyle(`typefaces/${typeface}-text.css`) } : null
}

function readBuilt<Content>(file: string): Content | null {
  try {
    return JSON.parse(readFileSync(`${builtFolder}/${file}`, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
