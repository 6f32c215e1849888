import { existsSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { typefaces } from '../../contract/themes.ts'
import { builtFolder } from '../../server/platform/html/web-build.ts'
import { readBundledPackages } from '../../tools/packaging/bundled-packages.ts'
import { readText } from './source-files.ts'

const files: Record<string, string> = JSON.parse(readText('web/built/typefaces.json'))
const sizeOf = (name: string): number => statSync(`${builtFolder}/${files[name]}`).size

test.each(typefaces)('%s: its title and the first page are small, and each script is a file of its own', (typeface) => {
  const style = readText(`web/built/${files[`${typeface}.css`]}`)
  const faces = [...style.matchAll(/url\("\.\/([^"]+)"\)[^}]*unicode-range:([^}]+)\}/g)]
  const title = sizeOf(`${typeface}-title-latin.woff2`)
  const text = files[`${typeface}-text-latin.woff2`] ? sizeOf(`${typeface}-text-latin.woff2`) : 0
  expect(title).toBeGreaterThan(5_000)
  expect(title).toBeLessThanOrEqual(20_000)
  expect(title + text).toBeLessThanOrEqual(45_000)
  expect(faces.length % 4).toBe(0)
  expect(faces.filter(([, file]) => !existsSync(`${builtFolder}/assets/${file}`))).toEqual([])
  const rangeOf = (slice: string) =>
    faces.find(([, file]) => file?.startsWith(`${typeface}-title-${slice}-`))?.[2] ?? ''
  expect(listCharacters(rangeOf('latin'))).toEqual(expect.arrayContaining([...'Ab&éß–—„“’…€£']))
  expect(listCharacters(rangeOf('cyrillic'))).toEqual(expect.arrayContaining([...'ЯіїЁ']))
  expect(listCharacters(rangeOf('greek'))).toEqual(expect.arrayContaining([...'Ωάς']))
  const all = ['latin', 'latin-ext', 'cyrillic', 'greek'].flatMap((slice) => listCharacters(rangeOf(slice)))
  expect(new Set(all).size).toBe(all.length)
})

test.each(typefaces)('%s: fonts of the system have its width and height until it is loaded', (typeface) => {
  const style = readText(`web/built/${files[`${typeface}.css`]}`)
  const adjusted = [...style.matchAll(/src:local[^}]*size-adjust:([\d.]+)%;ascent-override:([\d.]+)%/g)]
  expect(adjusted.length % 3).toBe(0)
  expect(adjusted.length).toBeGreaterThan(0)
  for (const [, size, ascent] of adjusted) {
    expect(Number(size)).toBeGreaterThan(70)
    expect(Number(size)).toBeLessThan(130)
    expect((Number(size) * Number(ascent)) / 10_000).toBeGreaterThan(0.9)
  }
})

test('the licenses of the fonts are in the package', () => {
  expect(readBundledPackages().filter((path) => path.includes('@fontsource-variable/'))).toHaveLength(5)
})

function listCharacters(range: string): string[] {
  return range.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.match(/[\dA-F]+/g)?.map((hex) => Number.parseInt(hex, 16)) ?? []
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
  })
}
