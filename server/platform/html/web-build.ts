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

/** The names of the files by their names without hashes. */
const typefaceFiles = readBuilt<Record<string, string>>('typefaces.json')

/** Returns the addresses of the style sheet and of the font of a title, or null when the web app is not built. */
export function findTypeface(typeface: Typeface, title: string): { stylesheet: string; titleFont: string } | null {
  const slice = /\p{Script=Cyrillic}/u.test(title) ? 'cyrillic' : /\p{Script=Greek}/u.test(title) ? 'greek' : 'latin'
  const stylesheet = typefaceFiles?.[`${typeface}.css`]
  const titleFont = typefaceFiles?.[`${typeface}-title-${slice}.woff2`]
  return stylesheet && titleFont ? { stylesheet: builtPath + stylesheet, titleFont: builtPath + titleFont } : null
}

function readBuilt<Content>(file: string): Content | null {
  try {
    return JSON.parse(readFileSync(`${builtFolder}/${file}`, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
