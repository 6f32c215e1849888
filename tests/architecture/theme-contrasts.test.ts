import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { themePresets } from '../../contract/themes.ts'
import { accentStyle, contrast } from '../../server/settings/accent-style.ts'

const css = readFileSync(new URL('../../web/assets/themes.css', import.meta.url), 'utf8').replace(/\/\*.*?\*\//gs, '')
const [byDay = '', inTheDark = '', afterwards = ''] = splitAtDark(css)

type Tokens = Record<string, string>

const tones = Object.keys(themePresets).flatMap((theme) => [
  { theme, tone: 'light', tokens: tokensOf(theme, byDay + afterwards) },
  { theme, tone: 'dark', tokens: tokensOf(theme, byDay + inTheDark + afterwards) },
])

describe.each(tones)('$theme, $tone', ({ theme, tone, tokens }) => {
  const between = (one: string, other: string) => contrast(rgb(tokens[one]), rgb(tokens[other]))

  test.each(['ink', 'quiet', 'accent', 'alarm'])('text in %s is read on paper', (colour) => {
    expect(between(colour, 'paper')).toBeGreaterThanOrEqual(4.5)
  })

  test('text that the pointer is on, and buttons that are filled, are read', () => {
    expect(between('ink', 'line')).toBeGreaterThanOrEqual(4.5)
    expect(between('paper', 'ink')).toBeGreaterThanOrEqual(4.5)
    expect(between('paper', 'accent')).toBeGreaterThanOrEqual(4.5)
  })

  test('edges of controls and the line of what has the focus stand out', () => {
    expect(between('quiet', 'paper')).toBeGreaterThanOrEqual(3)
    expect(between('accent', 'paper')).toBeGreaterThanOrEqual(3)
  })

  test.each(['#000000', '#ffffff', '#808080', '#ff0000', '#ffee00', '#0040ff'])(
    'the accent %s of a studio is read on its paper',
    (accent) => {
      const [onPaper = '', onDark = ''] = [...accentStyle(accent).matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => hex)
      const isDark = tone === 'dark' || theme === 'noir'
      expect(contrast(rgb(isDark ? onDark : onPaper), rgb(tokens.paper))).toBeGreaterThanOrEqual(4.5)
    },
  )
})

test('every theme is a mood of its own: no two share their paper, accent and letters', () => {
  const moods = tones.map(({ tokens }) => [tokens.paper, tokens.accent].join())
  expect(new Set(moods.filter((_, index) => index % 2 === 0)).size).toBe(Object.keys(themePresets).length)
  const letters = tones.map(({ tokens }) => tokens.display)
  expect(new Set(letters).size).toBe(Object.keys(themePresets).length)
})

/** What stands before the rules for the dark, in them, and behind them. */
function splitAtDark(text: string): string[] {
  const start = text.indexOf('@media (prefers-color-scheme: dark) {')
  const end = text.indexOf('\n}', start) + 2
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}

/** The custom properties of a theme, later rules over former ones, as the file has them in its order. */
function tokensOf(theme: string, text: string): Tokens {
  const tokens: Tokens = {}
  for (const [, selector, body = ''] of text.matchAll(/(:root|\.theme-\w+) \{([^}]*)\}/g)) {
    if (selector !== ':root' && selector !== `.theme-${theme}`) continue
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+): ([^;]+);/g)) tokens[name] = value
  }
  return tokens
}

const rgb = (hex = ''): [number, number, number] =>
  [0, 2, 4].map((at) => Number.parseInt(hex.slice(at + 1, at + 3), 16)) as [number, number, number]
