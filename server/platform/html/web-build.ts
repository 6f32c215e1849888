import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const builtFolder = fileURLToPath(new URL('../../../web/built', import.meta.url))
export const builtPath = '/built/'

export type BuiltScript = { src: string; preloads: string[]; styles: string[] }

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** Each app is a separate build. The manifests are read once, so a new build needs a restart. */
const apps = {
  'gallery/start.tsx': { folder: '', manifest: readManifest('') },
  'admin/start.tsx': { folder: 'admin/', manifest: readManifest('admin/') },
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

function readManifest(folder: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(`${builtFolder}/${folder}manifest.json`, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
