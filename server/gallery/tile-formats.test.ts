import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { tileFormatClass, tileFormats } from './tile-formats.ts'

test('a tile takes the format nearest to its photo', () => {
  expect(tileFormatClass({ width: 6000, height: 4000 })).toBe('format-3-2')
  expect(tileFormatClass({ width: 3024, height: 4032 })).toBe('format-3-4')
  expect(tileFormatClass({ width: 1179, height: 2556 })).toBe('format-1-2')
  expect(tileFormatClass({ width: 12_000, height: 2000 })).toBe('format-3-1')
  expect(tileFormatClass({ width: null, height: null })).toBe('format-3-2')
})

test('the style sheet knows every format', async () => {
  const styles = await readFile(new URL('../../web/assets/gallery.css', import.meta.url), 'utf8')
  for (const format of tileFormats) {
    expect(styles).toContain(`.format-${format} {\n  --ratio: calc(${format.replace('-', ' / ')});\n}`)
  }
})
