import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { typefaces } from '../../contract/themes.ts'
import { builtFolder, builtPath, findBuiltStyle, findTypeface } from '../../server/platform/html/web-build.ts'
import { readBundledPackages } from '../../tools/packaging/bundled-packages.ts'
import { readText, root } from './source-files.ts'

const pathOf = (address: string | null): string => `web/built/${address?.slice(builtPath.length)}`
const readStyle = (address: string | null): string => (address === null ? '' : readText(pathOf(address)))
const sentSize = (address: string | null): number =>
  address === null ? 0 : statSync(join(root, `${pathOf(address)}.br`)).size

const latin = 'Ünal & Zoë'

test.each(typefaces)('%s: the style sheets of a first page with their fonts are small', (typeface) => {
  const { title = null, text = null } = findTypeface(typeface, 'Anna & Max') ?? {}
  expect(sentSize(title)).toBeGreaterThan(8_000)
  expect(sentSize(title)).toBeLessThanOrEqual(14_000)
  expect(sentSize(title) + sentSize(text)).toBeLessThanOrEqual(28_000)
  // 45 KB of fonts, and 2 KB of rules.
  for (const name of [latin, 'Łódź', 'Ελένη', 'Олена'])
    expect(sentSize(findTypeface(typeface, name)?.title ?? null) + sentSize(text), name).toBeLessThanOrEqual(47_000)
})

test.each(typefaces)('%s: each letter of a title is in a font of its style sheet', (typeface) => {
  for (const name of [
    'Anna & Max, 2026',
    'Ünal “&” Zoë',
    'Bjørn',
    'Żaneta & Jiří',
    'Ελένη',
    'Олена й Тарас',
    'Ğüneş',
  ]) {
    const style = readStyle(findTypeface(typeface, name)?.title ?? null)
    const contained = [...style.matchAll(/url\("data:font[^}]+unicode-range:([^}]+)\}/g)].flatMap(([, range = '']) =>
      listCharacters(range),
    )
    expect([...name].filter((letter) => !contained.includes(letter))).toEqual([])
  }
})

test.each(typefaces)('%s: the fonts have no characters in common, and each file exists', (typeface) => {
  const style = readStyle(findBuiltStyle(`typefaces/${typeface}-title-latin.css`))
  const ranges = [...style.matchAll(/src:url\([^}]+unicode-range:([^}]+)\}/g)].map(([, range = '']) => range)
  const all = ranges.flatMap(listCharacters)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toEqual(expect.arrayContaining([...'Ab&éß–—„“’…€£ЯіїЁΩάςőŁ']))
  const files = [...style.matchAll(/url\("\.\/([^"]+)"\)/g)].map(([, file]) => file)
  expect(files).not.toEqual([])
  expect(files.filter((file) => !existsSync(`${builtFolder}/assets/${file}`))).toEqual([])
})

test.each(['literata', 'cormorant', 'commissioner'] as const)(
  '%s: fonts of the system have the width and height of texts until theirs is loaded',
  (typeface) => {
    const style = readStyle(findTypeface(typeface, '')?.title ?? null)
    const adjusted = [...style.matchAll(/src:local[^}]*size-adjust:([\d.]+)%;ascent-override:([\d.]+)%/g)]
    expect(adjusted).toHaveLength(3)
    for (const [, size, ascent] of adjusted) {
      expect(Number(size)).toBeGreaterThan(70)
      expect(Number(size)).toBeLessThan(130)
      expect((Number(size) * Number(ascent)) / 10_000).toBeGreaterThan(0.9)
    }
  },
)

test('the licenses of the fonts are in the package', () => {
  expect(readBundledPackages().filter((path) => path.includes('@fontsource-variable/'))).toHaveLength(5)
})

function listCharacters(range: string): string[] {
  return range.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.match(/[\dA-F]+/g)?.map((hex) => Number.parseInt(hex, 16)) ?? []
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
  })
}
