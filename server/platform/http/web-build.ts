import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where `npm run build` puts what browsers run, and where it is served. */
export const builtFolder = fileURLToPath(new URL('../../../web/built', import.meta.url))
export const builtPath = '/built/'

/** What a page names to start one of the apps. */
export type BuiltScript = { src: string; preloads: string[]; styles: string[] }

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

const manifest = readManifest()

/** Read once: after another build the service is started anew. */
export const isBuilt = manifest !== null

/** Of an entry such as `gallery/start.tsx`. Null where nothing was built: pages then do without script. */
export function builtScript(entry: string): BuiltScript | null {
  const chunk = manifest?.[entry]
  if (!chunk) return null
  const imported = [...new Set(importsOf(entry))].flatMap((name) => manifest?.[name] ?? [])
  return {
    src: builtPath + chunk.file,
    preloads: imported.map(({ file }) => builtPath + file),
    styles: [chunk, ...imported].flatMap(({ css = [] }) => css.map((file) => builtPath + file)),
  }
}

const importsOf = (name: string): string[] =>
  (manifest?.[name]?.imports ?? []).flatMap((imported) => [imported, ...importsOf(imported)])

function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(`${builtFolder}/manifest.json`, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
