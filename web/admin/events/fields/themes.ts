import type { Schemas } from '../../api/api.ts'

type ThemePreset = Schemas['ThemePreset']
export type Typeface = Schemas['Typeface']
export type HeaderStyle = Schemas['HeaderStyle']

const recommended: Record<ThemePreset, [HeaderStyle, Typeface]> = {
  classic: ['standard', 'literata'],
  linen: ['hero', 'cormorant'],
  noir: ['hero', 'commissioner'],
  meadow: ['standard', 'commissioner'],
  coast: ['hero', 'manrope'],
  slate: ['minimal', 'manrope'],
}

/** The names of the typefaces, which are the same in all languages. */
export const typefaceNames: Record<Typeface, string> = {
  literata: 'Literata',
  cormorant: 'Cormorant',
  commissioner: 'Commissioner',
  manrope: 'Manrope',
}

export const themePresets = Object.keys(recommended) as ThemePreset[]
export const typefaces = Object.keys(typefaceNames) as Typeface[]
export const headerStyles = ['hero', 'standard', 'minimal', 'none'] as const satisfies HeaderStyle[]

export const coverLayouts = ['full', 'split', 'framed', 'strip', 'words'] as const satisfies Schemas['CoverLayout'][]

export const isThemePreset = (name: string): name is ThemePreset => Object.hasOwn(recommended, name)
export const getRecommendedHeader = (theme: ThemePreset): HeaderStyle => recommended[theme][0]
export const getTypefaceOfTheme = (theme: ThemePreset): Typeface => recommended[theme][1]
