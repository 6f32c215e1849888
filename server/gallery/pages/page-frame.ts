import type { SettingValues } from '../../../contract/settings.ts'
import type { Typeface } from '../../../contract/themes.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type Page, type PageOptions, renderPage, themedStylesheets } from '../../platform/html/page-document.ts'
import { logoPath } from '../../settings/branding.ts'
import type { Logo } from '../../settings/settings.ts'
import type { GalleryI18n } from './gallery-i18n.ts'
import type { LanguageLink } from './language-request.ts'

export type PageFrame = {
  i18n: GalleryI18n
  settings: SettingValues
  logo: Logo | null
  title: string
  theme: string
  typeface: Typeface
  languages: LanguageLink[]
  hasSmallTiles: boolean
  /** Epoch milliseconds. */
  now: number
}

type PageExtras = Pick<PageOptions, 'head' | 'script' | 'style'>

export function page(frame: PageFrame, body: Html, extras: PageExtras = {}): Page {
  const { i18n, settings, title, theme, typeface, hasSmallTiles } = frame
  return renderPage({
    locale: i18n.locale,
    title,
    root: `theme-${theme}${hasSmallTiles ? ' small-tiles' : ''}`,
    typeface,
    stylesheets: [...themedStylesheets, ...(settings.branding_accent ? ['/branding/style.css'] : [])],
    body: html`${body}
${footer(frame)}`,
    ...extras,
  })
}

function footer({ i18n, settings, logo, languages }: PageFrame): Html {
  const { branding_imprint_url: imprint, branding_privacy_url: privacy, branding_studio_name: studio } = settings
  return html`<footer>
${logo && studioLogo(logo)}
${studio ? html`<span dir="auto">${studio}</span>` : null}
${imprint ? html`<a href="${imprint}">${i18n.t('imprint')}</a>` : null}
${privacy ? html`<a href="${privacy}">${i18n.t('privacy')}</a>` : null}
${languages.length > 1 && languageNav(i18n, languages)}
</footer>`
}

const languageNav = (i18n: GalleryI18n, languages: LanguageLink[]): Html =>
  html`<nav class="languages" aria-label="${i18n.t('languages')}">${languages.map(
    ({ code, name, href }) =>
      html`<a href="${href}" hreflang="${code}" lang="${code}"${code === i18n.locale && html` aria-current="true"`}>${name}</a>`,
  )}</nav>`

/** The width and height attributes prevent a layout shift. */
const studioLogo = ({ width, height }: Logo): Html =>
  html`<img class="logo" src="${logoPath}" alt="" width="${width}" height="${height}">`

export const heading = (name: string): Html =>
  html`<h1 dir="auto"${name.length > 50 && html` class="long"`}>${name}</h1>`

export const formatLongDate = ({ locale }: GalleryI18n, epochMs: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(epochMs)
