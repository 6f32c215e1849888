import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gapCss, gapPx, rowHeightCss, rowHeightPx, smallTileScale } from '../../contract/gallery/gallery-tiles.ts'
import { root } from './source-files.ts'

const style = readFileSync(join(root, 'web/assets/gallery.css'), 'utf8')

test('the style and the script use the same row height and gap', () => {
  expect(style).toContain(`--row: ${rowHeightCss};`)
  expect(style).toContain(`--gap: ${gapCss};`)
  expect(style).toContain(`--tile-scale: ${smallTileScale};`)
})

test.each([
  [rowHeightCss, rowHeightPx],
  [gapCss, gapPx],
])('%s has the same value in the script', (css, inWindow) => {
  const [, min = '', base = '0', share = '', max = ''] =
    /^clamp\((\d+)px, (?:(\d+)px \+ )?([\d.]+)vw, (\d+)px\)$/.exec(css) ?? []
  for (const width of [320, 390, 768, 1280, 1600, 2560, 3840]) {
    const pixels = Math.min(Math.max(Number(min), Number(base) + (Number(share) / 100) * width), Number(max))
    expect(inWindow(width)).toBeCloseTo(pixels, 6)
  }
})
