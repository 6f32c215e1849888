import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { pageSecurityPolicy } from './security-headers.ts'
import type { BuiltScript } from './web-build.ts'

/** What a page is made of; all else is the same on every page. */
export type PageParts = {
  locale: string
  title: string
  /** Classes of the root element. */
  root?: string
  /** Addresses, in the order in which they override each other; those of the script come last. */
  stylesheets: string[]
  /** What takes over in the browser. The page shows without it. */
  script?: BuiltScript | null
  /** What stands in the head of this page alone. */
  head?: Html | null
  /** Rules that hold for this page alone: numbers and names of our own, no markup. */
  style?: string
  body: Html
}

/** The look of pages that guests and the invited see, in one of the themes. */
export const themedStyles = ['/assets/themes.css', '/assets/gallery.css']

/** A page and the Content-Security-Policy that lets it be what it is. */
export type Page = { markup: string; securityPolicy: string }

/** A whole document. Search engines are asked to leave all of them out: whoever opens one was given its address. */
export function pageDocument(parts: PageParts): Page {
  const { locale, title, root, stylesheets, script, head = null, style = '', body } = parts
  const markup = html`<html lang="${locale}" dir="${directionOf(locale)}"${root !== undefined && html` class="${root}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
<title>${title}</title>
${links('stylesheet', [...stylesheets, ...(script?.styles ?? [])])}
${links('modulepreload', script?.preloads ?? [])}
${head}
${style !== '' && inlineStyle(style)}
</head>
<body>
${body}
${script ? html`<script type="module" src="${script.src}"></script>` : null}
</body>
</html>`
  return { markup: `<!doctype html>${markup.text}`, securityPolicy: policyWith(style) }
}

const links = (rel: string, addresses: string[]): Html =>
  html`${addresses.map((href) => html`<link rel="${rel}" href="${href}">`)}`

const directionOf = (locale: string): string =>
  (new Intl.Locale(locale) as Intl.Locale & { getTextInfo(): { direction: string } }).getTextInfo().direction

/** Throws for what could end the element. */
function inlineStyle(style: string): Html {
  if (/[<>&"']/.test(style)) throw new Error('A style with markup in it')
  return html`<style>${style}</style>`
}

/** The policy names the very text of the style. */
function policyWith(style: string): string {
  if (style === '') return pageSecurityPolicy
  const hash = createHash('sha256').update(style).digest('base64')
  return pageSecurityPolicy.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`)
}
