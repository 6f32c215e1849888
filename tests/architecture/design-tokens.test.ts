import { expect, test } from 'vitest'
import { gapCss, gapPx, rowHeightCss, rowHeightPx, smallTileScale } from '../../contract/gallery/gallery-tiles.ts'
import { contrast } from '../../server/settings/accent-style.ts'
import { readText, sourceFiles, styleSheets } from './source-files.ts'

const tokensFile = 'web/assets/tokens.css'
const sheets = styleSheets().map((file) => ({
  file,
  css: readText(file).replace(/\/\*.*?\*\//gs, ''),
}))
const tokensCss = sheets.find(({ file }) => file === tokensFile)?.css ?? ''
const otherSheets = sheets.filter(({ file }) => file !== tokensFile)

test('only the file of the tokens contains colors', () => {
  const color =
    /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(|:[^;]*(?<![-\w])(?:white|gr[ae]y|red|blue)\b(?=[ ;,)])/i
  expect(
    findDeclarations(/^(?!--|mask)/, (value, property) => !color.test(`${property}: ${withoutPictures(value)};`)),
  ).toEqual([])
  expect(findDeclarations(/^--/, (value) => !/#[\da-f]{3,8}\b|\brgba?\(/i.test(value))).toEqual([])
})

test('font sizes, typefaces, spacings and radii are tokens, or sizes relative to the text around them', () => {
  expect(findDeclarations(/^font-size$/, (value) => !hasOwnLength(value.replace(/\b\d+px(?=\))/, '')))).toEqual([])
  const sizeOf = (font: string) => (font.split('/')[0] ?? '').replace(/\b\d+px(?=\))/, '')
  expect(findDeclarations(/^font$/, (value) => !hasOwnLength(sizeOf(value)))).toEqual([])
  expect(findDeclarations(/^font-family$/, (value) => /^(var\(--[\w-]+\)|inherit)$/.test(value))).toEqual([])
  expect(findDeclarations(/^((row-|column-)?gap|(padding|margin)(-.+)?)$/, (value) => !hasOwnLength(value))).toEqual([])
  expect(findDeclarations(/^border(-.+)?-radius$/, (value) => !hasOwnLength(value))).toEqual([])
})

test('each custom property that is used without a fallback is defined, and each token is used', () => {
  const all = sheets.map(({ css }) => css).join('\n')
  const code = ['web/admin', 'web/gallery', 'web/shared', 'server'].flatMap(sourceFiles).map(readText).join('\n')
  const defined = new Set([...all.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name))
  const used = new Set([...all.matchAll(/var\((--[\w-]+)\s*\)/g)].map(([, name = '']) => name))
  const isSetByCode = (name: string) => code.includes(name)
  expect([...used].filter((name) => !defined.has(name) && !name.startsWith('--radix-') && !isSetByCode(name))).toEqual(
    [],
  )
  const tokens = new Set([...tokensCss.matchAll(/(--[\w-]+)\s*:/g)].map(([, name = '']) => name))
  expect([...tokens].filter((name) => !all.includes(`var(${name}`) && !isSetByCode(name))).toEqual([])
})

test('photos are the brightest part of a page', () => {
  const surfaces = [...tokensCss.matchAll(/--(?:paper|card|wash): #([\da-f]{6});/g)]
  expect(surfaces.length).toBeGreaterThan(2)
  for (const [, hex = ''] of surfaces) expect(contrast([255, 255, 255], parseColor(hex)), hex).toBeGreaterThan(1.05)
})

test('the colors that are always dark are those of dark mode', () => {
  const dark = /prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}/.exec(tokensCss)?.[1]
  const alwaysDark = /\.always-dark,\s*\.theme-noir \{\s*color-scheme: dark;([^}]*)\}/.exec(tokensCss)?.[1]
  expect(alwaysDark?.trim().split(/\s*;\s*/)).toEqual(dark?.trim().split(/\s*;\s*/))
})

test.each(['root', 'always-dark'])('filled buttons have enough contrast (%s)', (scope) => {
  const [, light = ''] = /:root \{([^}]*)\}/.exec(tokensCss) ?? []
  const [, dark = ''] = /\.always-dark,\s*\.theme-noir \{([^}]*)\}/.exec(tokensCss) ?? []
  const colors = Object.fromEntries(
    [...(scope === 'root' ? light : dark).matchAll(/--([\w-]+): #([\da-f]{3,6});/g)].map(([, name, hex]) => [
      name,
      hex,
    ]),
  )
  const read = (name: string) => parseColor(colors[name]?.replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3'))
  expect(contrast(read('on-fill'), read('fill'))).toBeGreaterThanOrEqual(4.5)
  expect(contrast(read('on-fill'), read('fill-strong'))).toBeGreaterThanOrEqual(4.5)
  expect(contrast(read('fill'), read('card'))).toBeGreaterThanOrEqual(3)
  for (const text of ['accent', 'alarm', 'warn', 'good', 'quiet', 'ink']) {
    for (const surface of ['paper', 'card']) expect(contrast(read(text), read(surface))).toBeGreaterThanOrEqual(4.5)
  }
  for (const surface of ['paper', 'card']) expect(contrast(read('edge'), read(surface))).toBeGreaterThanOrEqual(3)
})

test('the built apps have no page of npm run parts', () => {
  for (const manifest of ['web/built/manifest.json', 'web/built/admin/manifest.json'])
    expect(readText(manifest)).not.toContain('all-parts')
})

test('the style of the gallery and the script use the same row height and gap', () => {
  const style = readText('web/assets/gallery.css')
  const properties = [`--row: ${rowHeightCss};`, `--gap: ${gapCss};`, `--tile-scale: ${smallTileScale};`]
  expect(properties.filter((property) => !style.includes(property))).toEqual([])
  const inScript = { [rowHeightCss]: rowHeightPx, [gapCss]: gapPx }
  for (const [css, compute] of Object.entries(inScript)) {
    const [, min = '', base = '0', share = '', max = ''] =
      /^clamp\((\d+)px, (?:(\d+)px \+ )?([\d.]+)vw, (\d+)px\)$/.exec(css) ?? []
    for (const width of [320, 390, 768, 1280, 1600, 2560, 3840]) {
      const pixels = Math.min(Math.max(Number(min), Number(base) + (Number(share) / 100) * width), Number(max))
      expect(compute(width), css).toBeCloseTo(pixels, 6)
    }
  }
})

const parseColor = (hex = ''): [number, number, number] =>
  [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]

/** Returns the declarations of the style sheets whose property matches and whose value is not accepted. */
function findDeclarations(property: RegExp, accepts: (value: string, property: string) => boolean): string[] {
  return otherSheets.flatMap(({ file, css }) =>
    [...css.matchAll(/(?<=[{;]\s*)([\w-]+):\s*([^;{}]+);/g)]
      .filter(([, name = '', value = '']) => property.test(name) && !accepts(value, name))
      .map(([declaration]) => `${file}: ${declaration}`),
  )
}

/** Returns whether the value has a length that is not a token. Hairlines and shares of the window are allowed. */
function hasOwnLength(value: string): boolean {
  return [...value.matchAll(/(?<![\w-])(\d*\.?\d+)(rem|px)\b/g)].some(
    ([, size, unit]) => !(unit === 'px' && Number(size) <= 1) && Number(size) !== 0,
  )
}

const withoutPictures = (value: string): string => value.replace(/url\("[^"]*"\)/g, '')
