import type { Wire } from '../api/api.ts'

type ThemePreset = Wire['ThemePreset']
export type HeaderStyle = Wire['HeaderStyle']

const recommended: Record<ThemePreset, HeaderStyle> = {
  classic: 'standard',
  linen: 'hero',
  noir: 'hero',
  meadow: 'standard',
  coast: 'hero',
  slate: 'minimal',
}

export const themePresets = Object.keys(recommended) as ThemePreset[]
export const headerStyles = ['hero', 'standard', 'minimal', 'none'] as const satisfies HeaderStyle[]

export const isTheme = (name: string): name is ThemePreset => Object.hasOwn(recommended, name)
export const headerOf = (theme: ThemePreset): HeaderStyle => recommended[theme]
