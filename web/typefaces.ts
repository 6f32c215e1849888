import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'
import { typefaces } from '../contract/themes.ts'

const folder = join(import.meta.dirname, 'typefaces')

/** The files that a title with letters of the first of them needs. */
const titleSlices = [
  ['latin'],
  ['latin-1', 'latin'],
  ['latin-ext', 'latin-1', 'latin'],
  ['cyrillic', 'latin'],
  ['greek', 'latin'],
]

/**
 * Adds the fonts and style sheets of the typefaces (`tools/write-typefaces.ts`) to the build. The style sheets of titles
 * contain the fonts for one script, so that no title is ever shown in another font; those of texts the font of most texts.
 */
export const typefaceFiles: Plugin = {
  name: 'typefaces',
  generateBundle() {
    const files: Record<string, string> = {}
    const emit = (name: string, source: string | Uint8Array): string => {
      files[name] ??= this.getFileName(
        this.emitFile({ type: 'asset', name, originalFileName: `typefaces/${name}`, source }),
      )
      return files[name]
    }
    const emitStyle = (name: string, family: string, contained: string[]) => {
      const style = readFileSync(join(folder, `${family}.css`), 'utf8')
      const fontUrl = (_: string, file: string) => {
        const bytes = readFileSync(join(folder, file))
        const isContained = contained.some((slice) => file === `${family}-${slice}.woff2`)
        return `url("${isContained ? `data:font/woff2;base64,${bytes.toString('base64')}` : `./${basename(emit(file, bytes))}`}")`
      }
      emit(`${name}.css`, style.replace(/url\("\.\/([^"]+)"\)/g, fontUrl))
    }
    for (const typeface of typefaces) {
      for (const slices of titleSlices) emitStyle(`${typeface}-title-${slices[0]}`, `${typeface}-title`, slices)
      if (existsSync(join(folder, `${typeface}-text.css`))) emitStyle(`${typeface}-text`, `${typeface}-text`, ['latin'])
    }
  },
}
