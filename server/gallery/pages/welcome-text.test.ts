import { expect, test } from 'vitest'
import { formatPlainWelcome, renderWelcomeText } from './welcome-text.ts'

const options = { language: null, pageLanguage: 'en', moreLabel: 'Read more' } as const
const markupOf = (text: string): string => renderWelcomeText(text, options)?.text ?? ''
const elementsIn = (text: string): string[] => markupOf(text).match(/<[^>]*>/g) ?? []
const linksIn = (text: string): string[] => [...markupOf(text).matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

test('welcome text renders emphasis, lists, quotes, lines and paragraphs', () => {
  expect(markupOf('**Thank you** for _such_ a day\nand night')).toContain(
    '<strong>Thank you</strong> for <em>such</em> a day<br>\nand night',
  )
  expect(markupOf('- one\n- two')).toMatch(/<ul>\s*<li>one<\/li>\s*<li>two<\/li>\s*<\/ul>/)
  expect(markupOf('1. one\n2. two')).toMatch(/<ol>/)
  expect(markupOf('first\n\nsecond')).toMatch(/<p>first<\/p>\s*<p>second<\/p>/)
  expect(markupOf('> as she said')).toContain('<blockquote>')
  expect(renderWelcomeText(' \n\t', options)).toBeNull()
})

test('welcome text is folded if it is long', () => {
  expect(markupOf('Thank you. '.repeat(20))).not.toContain('<details')
  expect(markupOf('Thank you. '.repeat(30))).toMatch(/^<details class="fold"><summary>Read more<\/summary><div/)
})

test('welcome text opens links to pages and mail addresses in a new tab without a referrer', () => {
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
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](%6Aavascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example)',
  '[x](\\\\evil.example)',
  '[x](/api/auth/logout)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
])('welcome text creates no link from %j', (text) => {
  expect(linksIn(text)).toEqual([])
  expect(elementsIn(text).every((element) => /^<\/?(div|p|br)\b/.test(element))).toBe(true)
})

test.each([
  '<script>alert(1)</script>',
  '<div>\n<iframe src="//evil.example"></iframe>\n</div>',
  '<!-- --><svg/onload=alert(1)>',
  '</div></header><script>alert(1)</script>',
  '<a href="https://evil.example" onclick="alert(1)">x</a>',
  '**<b onmouseover=alert(1)>**',
  '`<script>`',
  '```html\n<script>alert(1)</script>\n```',
])('welcome text shows %j as text', (text) => {
  const allowed = /^<\/?(div|p|br|strong|em|code|a)( |>|$)/
  expect(elementsIn(text).filter((element) => !allowed.test(element))).toEqual([])
  expect(elementsIn(text).filter((element) => /\son\w+=/i.test(element))).toEqual([])
})

test.each([
  '![x](https://evil.example/pixel.gif)',
  '![x][1]\n\n[1]: https://evil.example/pixel.gif',
  '![](data:image/png;base64,AA)',
])('welcome text loads no picture from %j', (text) => {
  expect(markupOf(text)).not.toContain('<img')
})

test('welcome text a URL or title cannot break out of an attribute', () => {
  expect(elementsIn('[x](https://a.example/"onmouseover="alert(1))')).not.toContainEqual(
    expect.stringMatching(/ onmouseover="/),
  )
  expect(elementsIn('[x](https://a.example "title\\" onclick=\\"alert(1)")').join()).not.toMatch(/ onclick="/)
})

test('welcome text renders no headings and no tables, and isolates the text direction', () => {
  expect(markupOf('# Big\n\nUnder\n===\n\n| a |\n|---|\n| b |')).not.toMatch(/<(h\d|table)/)
  expect(markupOf('\u202Eevil\u202C')).toMatch(/^<div class="welcome" dir="auto">/)
})

const long = (piece: string): string => piece.repeat(Math.ceil(10_000 / piece.length)).slice(0, 10_000)
const pieces =
  '[¦]¦![¦[](¦[a](¦[[a]¦(¦<¦<a¦&¦*¦**a ¦_a_*¦`¦``a`¦> ¦- ¦  - ¦1. ¦\\¦~~¦a@¦http://¦[a]: b\n¦|a¦\u202E¦*a **b '.split(
    '¦',
  )
test('welcome text of 10,000 characters of any piece of Markdown is parsed in time', () => {
  // Exponential work would exceed the time limit of the test.
  for (const piece of pieces) {
    markupOf(long(piece))
    formatPlainWelcome(long(piece))
  }
})

test('welcome text in a link preview is plain text on one line', () => {
  const text = '**Thank** you!\nAll [pictures](https://a.example) are\n\n- here\n- _now_ <b>'
  expect(formatPlainWelcome(text)).toBe('Thank you! All pictures are here now <b>')
})

test('welcome text in a link preview is cut to 200 characters', () => {
  const plain = formatPlainWelcome('naïve 👰🏽 '.repeat(100))
  expect([...plain].length).toBeLessThanOrEqual(200)
  expect(plain).toMatch(/…$/)
  expect(plain.isWellFormed()).toBe(true)
})

test('quotation marks are those of the language of the text, or else of the page', () => {
  const text = `"Das ist 'schön'" ... -- Anna's`
  const markupIn = (language: 'de' | null, pageLanguage: 'de' | 'en') =>
    renderWelcomeText(text, { ...options, language, pageLanguage })?.text
  const german = '„Das ist ‚schön‘“ … – Anna’s'
  expect(markupIn('de', 'en')).toContain(german)
  expect(markupIn(null, 'de')).toContain(german)
  expect(markupIn(null, 'en')).toContain('“Das ist ‘schön’” … – Anna’s')
})
