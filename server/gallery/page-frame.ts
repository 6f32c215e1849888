import type { SettingValues } from '../../contract/settings.ts'
import { type Html, html } from '../platform/http/html.ts'
import { type Page, type PageParts, pageDocument, themedStyles } from '../platform/http/page-document.ts'
import { logoPath } from '../settings/branding.ts'
import type { Logo } from '../settings/settings.ts'
import type { LanguageLink } from './choose-language.ts'
import type { GalleryVoice } from './gallery-texts.ts'

export type PageFrame = {
  voice: GalleryVoice
  settings: SettingValues
  logo: Logo | null
  title: string
  theme: string
  languages: LanguageLink[]
  /** Epoch milliseconds. */
  now: number
}

type PageExtras = Pick<PageParts, 'head' | 'script' | 'style'>

export function page(frame: PageFrame, body: Html, extras: PageExtras = {}): Page {
  const { voice, settings, title, theme } = frame
  return pageDocument({
    locale: voice.locale,
    title,
    root: `theme-${theme}`,
    stylesheets: [...themedStyles, ...(settings.branding_accent ? ['/branding/style.css'] : [])],
    body: html`${body}
${footer(frame)}`,
    ...extras,
  })
}

function footer({ voice, settings, logo, languages }: PageFrame): Html {
  const { branding_imprint_url: imprint, branding_privacy_url: privacy, branding_studio_name: studio } = settings
  return html`<footer>
${logo && studioLogo(logo)}
${studio ? html`<span dir="auto">${studio}</span>` : null}
${imprint ? html`<a href="${imprint}">${voice.t('imprint')}</a>` : null}
${privacy ? html`<a href="${privacy}">${voice.t('privacy')}</a>` : null}
${languages.length > 1 && languageNav(voice, languages)}
</footer>`
}

const languageNav = (voice: GalleryVoice, languages: LanguageLink[]): Html =>
  html`<nav class="languages" aria-label="${voice.t('languages')}">${languages.map(
    ({ code, name, href }) =>
      html`<a href="${href}" hreflang="${code}" lang="${code}"${code === voice.locale && html` aria-current="true"`}>${name}</a>`,
  )}</nav>`

/** The width and height attributes prevent a layout shift. */
const studioLogo = ({ width, height }: Logo): Html =>
  html`<img class="logo" src="${logoPath}" alt="" width="${width}" height="${height}">`

export const heading = (name: string): Html =>
  html`<h1 dir="auto"${name.length > 50 && html` class="long"`}>${name}</h1>`

export const longDate = ({ locale }: GalleryVoice, epochMs: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(epochMs)
