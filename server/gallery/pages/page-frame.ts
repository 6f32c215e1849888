import type { ThemePreset, Typeface } from '../../../contract/themes.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type Page, type PageOptions, renderPage } from '../../platform/html/page-document.ts'
import { type Brand, brandOptions, logoPicture, studioMark } from '../../settings/brand-markup.ts'
import type { GalleryI18n } from './gallery-i18n.ts'
import type { LanguageLink } from './language-request.ts'

export type PageFrame = Brand & {
  i18n: GalleryI18n
  title: string
  theme: ThemePreset
  typeface: Typeface
  languages: LanguageLink[]
  hasSmallTiles: boolean
  /** Epoch milliseconds. */
  now: number
}

type PageExtras = Pick<PageOptions, 'head' | 'script' | 'style' | 'hasLateText'>

export const page = (frame: PageFrame, body: Html, extras: PageExtras = {}): Page =>
  renderFrame(frame, html`${body}\n${footer(frame, brandLine(frame))}`, extras)

/** A page with a single form or message below the mark of the studio, or else `sign`. `background` is behind all of it. */
export const cardPage = (frame: PageFrame, { sign, content, background = null }: Card, extras: PageExtras = {}): Page =>
  renderFrame(
    frame,
    html`${background}<main class="card">
${studioMark(frame) ?? sign}
${heading(frame.title)}
${content}
</main>
${footer(frame, null)}`,
    extras,
  )

type Card = { sign: Html; content: Html; background?: Html | null }

function renderFrame(frame: PageFrame, body: Html, extras: PageExtras): Page {
  const { i18n, title, theme, typeface, hasSmallTiles } = frame
  return renderPage({
    locale: i18n.locale,
    title,
    root: `theme-${theme}${hasSmallTiles ? ' small-tiles' : ''}`,
    typeface,
    ...brandOptions(frame, theme),
    body,
    ...extras,
  })
}

const brandLine = ({ settings: { branding_studio_name: studio }, logo }: PageFrame): Html =>
  html`${logo && logoPicture(logo, '')}
${studio ? html`<span dir="auto">${studio}</span>` : null}`

function footer({ i18n, settings, languages }: PageFrame, brand: Html | null): Html {
  const { branding_imprint_url: imprint, branding_privacy_url: privacy } = settings
  return html`<footer>
${brand}
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

/** Returns a link for people who cannot open a gallery, if the settings have an address. */
export function contactLink({ i18n: { t }, settings, title }: PageFrame): Html | null {
  const { branding_contact_email: address, branding_studio_name: studio } = settings
  if (address === null) return null
  const href = `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(title)}`
  return html`\n<p class="contact"><a href="${href}">${studio ? t('writeTo', { studio }) : t('write')}</a></p>`
}

export const heading = (name: string): Html =>
  html`<h1 dir="auto"${name.length > 50 && html` class="long"`}>${name}</h1>`

export const formatLongDate = ({ locale }: GalleryI18n, epochMs: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(epochMs)
