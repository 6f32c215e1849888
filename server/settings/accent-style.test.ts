import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentStyle, contrast } from './accent-style.ts'

type Rgb = [number, number, number]
const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
const accentsIn = (style: string): string[] =>
  [...style.matchAll(/--accent: (#[0-9a-f]{6});/g)].map(([, hex = '']) => hex)

/** The darkest light background and the lightest dark background of all themes. */
const paper = rgb('#f7f0e5')
const dark = rgb('#1b1612')

test('every accent color is readable on light and dark backgrounds; a readable color does not change', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color, (accent) => {
      const [onPaper = '', onDark = '', onNoir = ''] = accentsIn(accentStyle(accent))
      expect(contrast(rgb(onPaper), paper)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(rgb(onDark), dark)).toBeGreaterThanOrEqual(4.5)
      expect(onNoir).toBe(onDark)
    }),
  )
  expect(accentsIn(accentStyle('#336699'))[0]).toBe('#336699')
  expect(accentsIn(accentStyle('#FFCC00'))[1]).toBe('#ffcc00')
})
