import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'
import { typefaces } from '../contract/themes.ts'

const folder = join(import.meta.dirname, 'typefaces')

/**
 * Adds the fonts and style sheets of the typefaces (`tools/write-typefaces.ts`) to the build, and writes their names with
 * the hashes of their contents to `typefaces.json`.
 */
export const typefaceFiles: Plugin = {
  name: 'typefaces',
  generateBundle() {
    const files: Record<string, string> = {}
    const emit = (name: string, source: string | Uint8Array): string => {
      files[name] ??= this.getFileName(this.emitFile({ type: 'asset', name, source }))
      return files[name]
    }
    for (const typeface of typefaces) {
      const style = readFileSync(join(folder, `${typeface}.css`), 'utf8').replace(
        /url\("\.\/([^"]+)"\)/g,
        (_, name) => `url("./${basename(emit(name, readFileSync(join(folder, name))))}")`,
      )
      emit(`${typeface}.css`, style)
    }
    this.emitFile({ type: 'asset', fileName: 'typefaces.json', source: JSON.stringify(files) })
  },
}
