import { OneOf } from './shapes.ts'

export const headerStyles = ['hero', 'standard', 'minimal', 'none'] as const
export type HeaderStyle = (typeof headerStyles)[number]

/** Pairs of a typeface for titles and one for texts, named after the first. */
export const typefaces = ['literata', 'cormorant', 'commissioner', 'manrope'] as const
export type Typeface = (typeof typefaces)[number]
/** The layouts of the cover of `hero`. */
export const coverLayouts = ['full', 'split', 'framed', 'strip', 'words'] as const
export type CoverLayout = (typeof coverLayouts)[number]

export const themePresets = {
  classic: { name: 'Classic', header_style: 'standard', typeface: 'literata' },
  linen: { name: 'Linen', header_style: 'hero', typeface: 'cormorant' },
  noir: { name: 'Noir', header_style: 'hero', typeface: 'commissioner' },
  meadow: { name: 'Meadow', header_style: 'standard', typeface: 'commissioner' },
  coast: { name: 'Coast', header_style: 'hero', typeface: 'manrope' },
  slate: { name: 'Slate', header_style: 'minimal', typeface: 'manrope' },
} as const satisfies Record<string, { name: string; header_style: HeaderStyle; typeface: Typeface }>

export type ThemePreset = keyof typeof themePresets

export const ThemePreset = OneOf(Object.keys(themePresets) as ThemePreset[], { title: 'ThemePreset' })
export const HeaderStyle = OneOf(headerStyles, { title: 'HeaderStyle' })
export const Typeface = OneOf(typefaces, { title: 'Typeface' })
export const CoverLayout = OneOf(coverLayouts, { title: 'CoverLayout' })
