import type { Schemas } from '../../api/api.ts'

type ThemePreset = Schemas['ThemePreset']
export type HeaderStyle = Schemas['HeaderStyle']

const recommendedHeaders: Record<ThemePreset, HeaderStyle> = {
  classic: 'standard',
  linen: 'hero',
  noir: 'hero',
  meadow: 'standard',
  coast: 'hero',
  slate: 'minimal',
}

export const themePresets = Object.keys(recommendedHeaders) as ThemePreset[]
export const headerStyles = ['hero', 'standard', 'minimal', 'none'] as const satisfies HeaderStyle[]

export const isThemePreset = (name: string): name is ThemePreset => Object.hasOwn(recommendedHeaders, name)
export const getRecommendedHeader = (theme: ThemePreset): HeaderStyle => recommendedHeaders[theme]
