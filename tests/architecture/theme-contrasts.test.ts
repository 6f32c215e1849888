import { expect, test } from 'vitest'
import { type ThemePreset, themePresets } from '../../contract/themes.ts'
import { accentStyle, contrast } from '../../server/settings/accent-style.ts'
import { themeColors } from '../../server/settings/brand-markup.ts'
import { readText } from './source-files.ts'

const css = readText('web/assets/tokens.css').replace(/\/\*.*?\*\//gs, '')
const [lightCss = '', darkCss = '', laterCss = ''] = splitAtDarkMode(css)

type Tokens = Record<string, string>

const tones = (Object.keys(themePresets) as ThemePreset[]).flatMap((theme) => [
  { theme, tone: 'light', tokens: readTokens(theme, lightCss + laterCss) },
  { theme, tone: 'dark', tokens: readTokens(theme, lightCss + darkCss + laterCss) },
])

const accents = ['#000000', '#ffffff', '#808080', '#ff0000', '#ffee00', '#0040ff']

test.each(tones)('$theme, $tone: text, buttons, borders and any studio accent have enough contrast', (one) => {
  const { theme, tone, tokens } = one
  const expectContrast = (text: string, surface: string, min: number) =>
    expect(contrast(rgb(tokens[text]), rgb(tokens[surface])), `${text} on ${surface}`).toBeGreaterThanOrEqual(min)
  for (const text of ['ink', 'quiet', 'accent', 'alarm']) expectContrast(text, 'paper', 4.5)
  // Hovered text and filled buttons.
  expectContrast('ink', 'line', 4.5)
  expectContrast('paper', 'accent', 4.5)
  // Borders of controls and the focus outline.
  for (const color of ['quiet', 'accent']) expectContrast(color, 'paper', 3)
  for (const accent of accents) {
    const [onPaper = '', onDark = ''] = [...accentStyle(accent).matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => hex)
    const used = rgb(tone === 'dark' || theme === 'noir' ? onDark : onPaper)
    expect(contrast(used, rgb(tokens.paper)), accent).toBeGreaterThanOrEqual(4.5)
  }
})

test.each(tones)('$theme, $tone: the bars of browsers have the color of the page', ({ theme, tone, tokens }) => {
  expect(themeColors[theme as ThemePreset][tone as 'light' | 'dark']).toBe(tokens.paper)
})

test('no two themes have the same background, accent and font', () => {
  const moods = tones.map(({ tokens }) => [tokens.paper, tokens.accent].join())
  expect(new Set(moods.filter((_, index) => index % 2 === 0)).size).toBe(Object.keys(themePresets).length)
  const letters = tones.map(({ theme, tokens }) =>
    [themePresets[theme].typeface, tokens['display-weight'], tokens['display-case']].join(),
  )
  expect(new Set(letters).size).toBe(Object.keys(themePresets).length)
})

/** Returns the text before, within and after the rules for dark mode. */
function splitAtDarkMode(text: string): string[] {
  const start = text.indexOf('@media (prefers-color-scheme: dark) {')
  const end = text.indexOf('\n}', start) + 2
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}

/** Returns the custom properties of a theme. Later rules override earlier ones. */
function readTokens(theme: string, text: string): Tokens {
  const tokens: Tokens = {}
  for (const [, selector, body = ''] of text.matchAll(/(:root|\.theme-\w+) \{([^}]*)\}/g)) {
    if (selector !== ':root' && selector !== `.theme-${theme}`) continue
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+): ([^;]+);/g)) tokens[name] = value
  }
  return tokens
}

const rgb = (hex = ''): [number, number, number] =>
  [0, 2, 4].map((at) => Number.parseInt(hex.slice(at + 1, at + 3), 16)) as [number, number, number]
