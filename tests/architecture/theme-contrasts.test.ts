import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { themePresets } from '../../contract/themes.ts'
import { accentStyle, contrast } from '../../server/settings/accent-style.ts'

const css = readFileSync(new URL('../../web/assets/tokens.css', import.meta.url), 'utf8').replace(/\/\*.*?\*\//gs, '')
const [lightCss = '', darkCss = '', laterCss = ''] = splitAtDarkMode(css)

type Tokens = Record<string, string>

const tones = Object.keys(themePresets).flatMap((theme) => [
  { theme, tone: 'light', tokens: readTokens(theme, lightCss + laterCss) },
  { theme, tone: 'dark', tokens: readTokens(theme, lightCss + darkCss + laterCss) },
])

describe.each(tones)('$theme, $tone', ({ theme, tone, tokens }) => {
  const between = (one: string, other: string) => contrast(rgb(tokens[one]), rgb(tokens[other]))

  test.each(['ink', 'quiet', 'accent', 'alarm'])('text in %s has enough contrast', (color) => {
    expect(between(color, 'paper')).toBeGreaterThanOrEqual(4.5)
  })

  test('hovered text and filled buttons have enough contrast', () => {
    expect(between('ink', 'line')).toBeGreaterThanOrEqual(4.5)
    expect(between('paper', 'ink')).toBeGreaterThanOrEqual(4.5)
    expect(between('paper', 'accent')).toBeGreaterThanOrEqual(4.5)
  })

  test('borders of controls and the focus outline have enough contrast', () => {
    expect(between('quiet', 'paper')).toBeGreaterThanOrEqual(3)
    expect(between('accent', 'paper')).toBeGreaterThanOrEqual(3)
  })

  test.each(['#000000', '#ffffff', '#808080', '#ff0000', '#ffee00', '#0040ff'])(
    'the studio accent %s has enough contrast',
    (accent) => {
      const [onPaper = '', onDark = ''] = [...accentStyle(accent).matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => hex)
      const isDark = tone === 'dark' || theme === 'noir'
      expect(contrast(rgb(isDark ? onDark : onPaper), rgb(tokens.paper))).toBeGreaterThanOrEqual(4.5)
    },
  )
})

test('no two themes have the same background, accent and font', () => {
  const moods = tones.map(({ tokens }) => [tokens.paper, tokens.accent].join())
  expect(new Set(moods.filter((_, index) => index % 2 === 0)).size).toBe(Object.keys(themePresets).length)
  const letters = tones.map(({ tokens }) => tokens.display)
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
