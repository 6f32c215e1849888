import type { SettingValues } from '../../contract/settings.ts'
import type { ThemePreset } from '../../contract/themes.ts'
import { type Html, html } from '../platform/html/html.ts'
import { type PageOptions, themedStylesheet } from '../platform/html/page-document.ts'
import { iconPath, logoPath } from './branding.ts'
import type { Logo, Settings } from './settings.ts'

export type Brand = { settings: SettingValues; logo: Logo | null }

export const loadBrand = async (settings: Settings): Promise<Brand> => ({
  settings: await settings.values(),
  logo: await settings.logo(),
})

/** The backgrounds of the themes in `web/assets/tokens.css`, for the bars of browsers. */
export const themeColors: Record<ThemePreset, { light: string; dark: string }> = {
  classic: { light: '#f4f2ee', dark: '#151412' },
  linen: { light: '#f7f0e5', dark: '#1b1612' },
  noir: { light: '#0b0b0c', dark: '#0b0b0c' },
  meadow: { light: '#f2f6ed', dark: '#10160f' },
  coast: { light: '#f2f7fa', dark: '#0c1519' },
  slate: { light: '#f3f4f6', dark: '#121417' },
}

/** Returns the logo of the studio, or else its name; null if it has neither. */
export function studioMark({ settings: { branding_studio_name: name }, logo }: Brand): Html | null {
  if (!logo) return name === '' ? null : html`<p class="studio" dir="auto">${name}</p>\n`
  return html`<p class="studio">${logoPicture(logo, name)}</p>\n`
}

/** The width and height attributes prevent a layout shift. */
export const logoPicture = ({ width, height, tone, isOpaque }: Logo, alt: string): Html =>
  html`<img class="logo${tone !== undefined && ` on-${tone === 'dark' ? 'light' : 'dark'}`}${isOpaque === false && ' transparent'}" src="${logoPath}" alt="${alt}" width="${width}" height="${height}">`

/** What all pages of a theme have in common. */
export const brandOptions = (
  { settings, logo }: Brand,
  theme: ThemePreset,
): Pick<PageOptions, 'stylesheets' | 'icon' | 'themeColors'> => ({
  stylesheets: [themedStylesheet, ...(settings.branding_accent ? ['/branding/style.css'] : [])],
  icon: logo?.icon ? iconPath : null,
  themeColors: themeColors[theme],
})
