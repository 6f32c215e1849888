import { createHash } from 'node:crypto'
import type { Typeface } from '../../../contract/themes.ts'
import { pageSecurityPolicy } from '../http/security-headers.ts'
import { type Html, html } from './html.ts'
import { type BuiltScript, findBuiltStyle, findTypeface } from './web-build.ts'

export type PageOptions = {
  locale: string
  title: string
  root?: string
  /** Of the gallery. Without one, pages have the typefaces of the system. */
  typeface?: Typeface
  /** Whether the script loads the font of texts after the picture of the cover, which would take longer otherwise. */
  hasLateText?: boolean
  /** URLs in cascade order; the stylesheets of the script follow them. */
  stylesheets: string[]
  /** Null when the web app is not built; the page then has no script. */
  script?: BuiltScript | null
  head?: Html | null
  /** CSS for this page only; it must not contain markup. */
  style?: string
  /** The path of a PNG that stands for the site in place of the icon of the product. */
  icon?: string | null
  /** For the bars of the browser. */
  themeColors?: { light: string; dark: string }
  body: Html
}

/** The style sheet of the pages with a theme, for guests and invited people. */
export const themedStylesheet = findBuiltStyle('assets/gallery.css') ?? '/assets/gallery.css'

/**
 * In the head of each page with a form that works without script: with it, browsers send the origin of the page with the
 * form. Without it, `Referrer-Policy: no-referrer` makes the origin `null`. Other sites still get no referrer.
 */
export const formReferrer: Html = html`<meta name="referrer" content="same-origin">`

export type Page = { markup: string; securityPolicy: string }

/** Returns a complete HTML document. It is `noindex`, because only people with its address should find it. */
export function renderPage(parts: PageOptions): Page {
  const { locale, title, typeface, stylesheets, script, head = null, style = '', icon, themeColors, body } = parts
  const fonts = typeface ? findTypeface(typeface, title) : null
  const lateText = parts.hasLateText && script ? (fonts?.text ?? null) : null
  const fontStyles = [fonts?.title, lateText ? null : fonts?.text].filter((address) => address != null)
  const root = [parts.root, typeface && `type-${typeface}`].filter(Boolean).join(' ')
  const markup = html`<html lang="${locale}" dir="${getTextDirection(locale)}"${root !== '' && html` class="${root}"`}${lateText && html` data-text-face="${lateText}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${themeColors !== undefined && metaThemeColors(themeColors)}<link rel="icon" ${icon ? html`type="image/png" href="${icon}"` : html`type="image/svg+xml" href="/assets/icon.svg"`}>
<title>${title}</title>
${links('stylesheet', [...stylesheets, ...fontStyles, ...(script?.styles ?? [])])}
${links('modulepreload', script?.preloads ?? [])}
${head}
${style !== '' && inlineStyle(style)}
</head>
<body>
${body}
${script ? html`<script type="module" src="${script.src}"></script>` : null}
</body>
</html>`
  return { markup: `<!doctype html>${markup.text}`, securityPolicy: securityPolicyWith(style) }
}

const metaThemeColors = (colors: { light: string; dark: string }): Html =>
  html`${(['light', 'dark'] as const).map(
    (scheme) => html`<meta name="theme-color" content="${colors[scheme]}" media="(prefers-color-scheme: ${scheme})">\n`,
  )}`

const links = (rel: string, addresses: string[]): Html =>
  html`${addresses.map((href) => html`<link rel="${rel}" href="${href}">`)}`

const getTextDirection = (locale: string): string =>
  (new Intl.Locale(locale) as Intl.Locale & { getTextInfo(): { direction: string } }).getTextInfo().direction

function inlineStyle(style: string): Html {
  if (/[<>&"']/.test(style)) throw new Error('A style with markup in it')
  return html`<style>${style}</style>`
}

function securityPolicyWith(style: string): string {
  if (style === '') return pageSecurityPolicy
  const hash = createHash('sha256').update(style).digest('base64')
  return pageSecurityPolicy.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`)
}
