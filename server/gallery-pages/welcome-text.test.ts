import { describe, expect, test } from 'vitest'
import { formatPlainWelcome, renderWelcomeText } from './welcome-text.ts'

const markupOf = (text: string): string => renderWelcomeText(text, 'Read more')?.text ?? ''
const elementsIn = (text: string): string[] => markupOf(text).match(/<[^>]*>/g) ?? []
const linksIn = (text: string): string[] => [...markupOf(text).matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

describe('welcome text', () => {
  test('renders emphasis, lists, quotes, lines and paragraphs', () => {
    expect(markupOf('**Thank you** for _such_ a day\nand night')).toContain(
      '<strong>Thank you</strong> for <em>such</em> a day<br>\nand night',
    )
    expect(markupOf('- one\n- two')).toMatch(/<ul>\s*<li>one<\/li>\s*<li>two<\/li>\s*<\/ul>/)
    expect(markupOf('1. one\n2. two')).toMatch(/<ol>/)
    expect(markupOf('first\n\nsecond')).toMatch(/<p>first<\/p>\s*<p>second<\/p>/)
    expect(markupOf('> as she said')).toContain('<blockquote>')
  })

  test('returns null for an empty text', () => {
    expect(renderWelcomeText('', 'Read more')).toBeNull()
    expect(renderWelcomeText(' \n\t', 'Read more')).toBeNull()
  })

  test('is folded if it is long', () => {
    expect(markupOf('Thank you. '.repeat(20))).not.toContain('<details')
    expect(markupOf('Thank you. '.repeat(30))).toMatch(/^<details class="fold"><summary>Read more<\/summary><div/)
  })

  test('opens links to pages and mail addresses in a new tab without a referrer', () => {
    const text =
      '[album](https://studio.example/a?b=1&c=2), <https://studio.example>, https://studio.example/b, ana@studio.example'
    expect(linksIn(text)).toEqual([
      'https://studio.example/a?b=1&amp;c=2',
      'https://studio.example',
      'https://studio.example/b',
      'mailto:ana@studio.example',
    ])
    for (const link of elementsIn(text).filter((element) => element.startsWith('<a '))) {
      expect(link).toContain('rel="noopener noreferrer nofollow"')
      expect(link).toContain('target="_blank"')
    }
  })

  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](%6Aavascript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](vbscript:msgbox)',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](data:image/svg+xml;base64,PHN2Zz4=)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '[x](\\\\evil.example)',
    '[x](/api/auth/logout)',
    '[x](#gallery)',
    '[x]: javascript:alert(1)\n\n[x]',
    '<javascript:alert(1)>',
  ])('creates no link from %j', (text) => {
    expect(linksIn(text)).toEqual([])
    expect(elementsIn(text).every((element) => /^<\/?(div|p|br)\b/.test(element))).toBe(true)
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<div>\n<iframe src="//evil.example"></iframe>\n</div>',
    '<!-- --><svg/onload=alert(1)>',
    '</div></header><script>alert(1)</script>',
    '<a href="https://evil.example" onclick="alert(1)">x</a>',
    '**<b onmouseover=alert(1)>**',
    '`<script>`',
    '    <script>alert(1)</script>',
    '```html\n<script>alert(1)</script>\n```',
    '&lt;script&gt;',
  ])('shows %j as text', (text) => {
    const allowed = /^<\/?(div|p|br|strong|em|code|a)( |>|$)/
    expect(elementsIn(text).filter((element) => !allowed.test(element))).toEqual([])
    expect(elementsIn(text).filter((element) => /\son\w+=/i.test(element))).toEqual([])
  })

  test.each([
    '![x](https://evil.example/pixel.gif)',
    '![x][1]\n\n[1]: https://evil.example/pixel.gif',
    '![](data:image/png;base64,AA)',
  ])('loads no picture from %j', (text) => {
    expect(markupOf(text)).not.toContain('<img')
  })

  test('a URL or title cannot break out of an attribute', () => {
    expect(elementsIn('[x](https://a.example/"onmouseover="alert(1))')).not.toContainEqual(
      expect.stringMatching(/ onmouseover="/),
    )
    expect(elementsIn('[x](https://a.example "title\\" onclick=\\"alert(1)")').join()).not.toMatch(/ onclick="/)
  })

  test('renders no headings and no tables', () => {
    expect(markupOf('# Big\n\nUnder\n===\n\n| a |\n|---|\n| b |')).not.toMatch(/<(h\d|table)/)
  })

  test('isolates the text direction', () => {
    expect(markupOf('\u202Eevil\u202C')).toMatch(/^<div class="welcome" dir="auto">/)
  })

  const long = (piece: string): string => piece.repeat(Math.ceil(10_000 / piece.length)).slice(0, 10_000)
  test.each([
    '[',
    ']',
    '![',
    '[](',
    '[a](',
    '[[a]',
    '(',
    '<',
    '<a',
    '&',
    '*',
    '**a ',
    '_a_*',
    '`',
    '``a`',
    '> ',
    '- ',
    '  - ',
    '1. ',
    '\\',
    '~~',
    'a@',
    'http://',
    'https://a.example/',
    '[a]: b\n',
    '|a',
    '\u202E',
    '*a **b ',
  ])('parses 10,000 characters of %j in time', (piece) => {
    // Exponential work would exceed the time limit of the test.
    markupOf(long(piece))
    formatPlainWelcome(long(piece))
  })
})

describe('welcome text in a link preview', () => {
  test('is plain text on one line', () => {
    const text = '**Thank** you!\nAll [pictures](https://a.example) are\n\n- here\n- _now_ <b>'
    expect(formatPlainWelcome(text)).toBe('Thank you! All pictures are here now <b>')
  })

  test('is cut to 200 characters', () => {
    const plain = formatPlainWelcome('naïve 👰🏽 '.repeat(100))
    expect([...plain].length).toBeLessThanOrEqual(200)
    expect(plain).toMatch(/…$/)
    expect(plain.isWellFormed()).toBe(true)
  })
})
