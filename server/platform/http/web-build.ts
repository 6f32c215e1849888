import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where `npm run build` puts what browsers run, and where it is served. */
export const builtFolder = fileURLToPath(new URL('../../../web/built', import.meta.url))
export const builtPath = '/built/'

/** What a page names to start one of the apps. */
export type BuiltScript = { src: string; preloads: string[]; styles: string[] }

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** Each app is a build of its own, in a folder. Read once: after another build the service is started anew. */
const apps = {
  'gallery/start.tsx': { folder: '', manifest: readManifest('') },
  'admin/start.tsx': { folder: 'admin/', manifest: readManifest('admin/') },
}

export const isBuilt = apps['gallery/start.tsx'].manifest !== null

/** Null where nothing was built: pages then do without script. */
export function builtScript(entry: keyof typeof apps): BuiltScript | null {
  const { folder, manifest } = apps[entry]
  const chunk = manifest?.[entry]
  if (!manifest || !chunk) return null
  const imported = [...new Set(importsOf(manifest, entry))].flatMap((name) => manifest[name] ?? [])
  const address = (file: string) => builtPath + folder + file
  return {
    src: address(chunk.file),
    preloads: imported.map(({ file }) => address(file)),
    styles: [chunk, ...imported].flatMap(({ css = [] }) => css.map(address)),
  }
}

const importsOf = (manifest: Manifest, name: string): string[] =>
  (manifest[name]?.imports ?? []).flatMap((imported) => [imported, ...importsOf(manifest, imported)])

function readManifest(folder: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(`${builtFolder}/${folder}manifest.json`, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
