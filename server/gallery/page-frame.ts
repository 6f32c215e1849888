import { createHash } from 'node:crypto'
import type { SettingValues } from '../../contract/settings.ts'
import { type Html, html } from '../platform/http/html.ts'
import { pageSecurityPolicy } from '../platform/http/security-headers.ts'
import { logoPath } from '../settings/branding.ts'
import type { Logo } from '../settings/settings.ts'
import type { LanguageLink } from './choose-language.ts'
import type { GalleryVoice } from './gallery-texts.ts'

/** What all pages of a gallery have in common. */
export type PageFrame = {
  voice: GalleryVoice
  settings: SettingValues
  logo: Logo | null
  title: string
  theme: string
  languages: LanguageLink[]
  /** When the page is made. */
  now: number
}

/** What stands in the head of one page alone. */
export type PageHead = { more?: Html | null; style?: string }

/** A page and the Content-Security-Policy that lets it be what it is. */
export type Page = { markup: string; securityPolicy: string }

/** A whole document that shows without script; `body` is what stands between the frame's head and footer. */
export function page(frame: PageFrame, body: Html, { more = null, style = '' }: PageHead = {}): Page {
  const { voice, settings, title, theme } = frame
  const markup = html`<html lang="${voice.locale}" dir="${directionOf(voice.locale)}" class="theme-${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/themes.css">
<link rel="stylesheet" href="/assets/gallery.css">
${settings.branding_accent ? html`<link rel="stylesheet" href="/branding/style.css">` : null}
${more}
${style ? inlineStyle(style) : null}
</head>
<body>
${body}
${footer(frame)}
</body>
</html>`
  return { markup: `<!doctype html>${markup.text}`, securityPolicy: policyWith(style) }
}

const directionOf = (locale: string): string =>
  (new Intl.Locale(locale) as Intl.Locale & { getTextInfo(): { direction: string } }).getTextInfo().direction

function footer({ voice, settings, logo, languages }: PageFrame): Html {
  const { branding_imprint_url: imprint, branding_privacy_url: privacy, branding_studio_name: studio } = settings
  return html`<footer>
${logo && studioLogo(logo)}
${studio ? html`<span dir="auto">${studio}</span>` : null}
${imprint ? html`<a href="${imprint}">${voice.say('imprint')}</a>` : null}
${privacy ? html`<a href="${privacy}">${voice.say('privacy')}</a>` : null}
${languages.length > 1 && languageNav(voice, languages)}
</footer>`
}

const languageNav = (voice: GalleryVoice, languages: LanguageLink[]): Html =>
  html`<nav class="languages" aria-label="${voice.say('languages')}">${languages.map(
    ({ code, name, href }) =>
      html`<a href="${href}" hreflang="${code}" lang="${code}"${code === voice.locale && html` aria-current="true"`}>${name}</a>`,
  )}</nav>`

/** Of no height until it comes would move the page: it says its size. */
const studioLogo = ({ width, height }: Logo): Html =>
  html`<img class="logo" src="${logoPath}" alt="" width="${width}" height="${height}">`

/** Throws for what could end the element: a style is made of numbers and names of our own. */
function inlineStyle(style: string): Html {
  if (/[<>&"']/.test(style)) throw new Error('A style with markup in it')
  return html`<style>${style}</style>`
}

/** The policy names the very text of the style. */
const policyWith = (style: string): string => {
  const hash = createHash('sha256').update(style).digest('base64')
  return style
    ? pageSecurityPolicy.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`)
    : pageSecurityPolicy
}

/** Names come in every length and direction. */
export const heading = (name: string): Html =>
  html`<h1 dir="auto"${name.length > 50 && html` class="long"`}>${name}</h1>`

export const longDate = ({ locale }: GalleryVoice, epochMs: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(epochMs)
